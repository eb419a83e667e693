/** The names of an escrow's buyer and seller, as all readers show them. */

/** Of an escrow `e` with `PARTY_JOINS`. The company's name if the company itself sells. Null: the user has no name. */
export const PARTY_NAMES = `nullif(concat_ws(' ', b.first_name, b.last_name), '') as buyer_name,
  case when e.seller_id is null then c.name else nullif(concat_ws(' ', s.first_name, s.last_name), '') end as seller_name`;

export const PARTY_JOINS = `join company c on c.id = e.company_id
  join app_user b on b.id = e.buyer_id
  left join app_user s on s.id = e.seller_id`;

export type PartyNames = { readonly buyer_name: string | null; readonly seller_name: string | null };
