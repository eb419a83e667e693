import { value } from '../core/read-model.ts';

/** The names of an escrow's buyer and seller, as all readers show them. */

/** Of an escrow `e` with `PARTY_JOINS`. Null: the user has no name. */
export const PARTY_NAMES = {
  buyerName: value<string | null>("nullif(concat_ws(' ', b.first_name, b.last_name), '')"),
  /** The company's name if the company itself sells. */
  sellerName: value<string | null>(
    "case when e.seller_id is null then c.name else nullif(concat_ws(' ', s.first_name, s.last_name), '') end",
  ),
};

/** Lookups as by `looked`, written out: the test of privileges reads joins within other joins as constants. */
export const PARTY_JOINS = `join company c on c.id = e.company_id
  join lateral (select * from app_user b where b.company_id = e.company_id and b.id = e.buyer_id offset 0) b on true
  left join lateral (select * from app_user s where s.company_id = e.company_id and s.id = e.seller_id offset 0) s on true`;
