-- Hashes are computed over jsonb text, which is canonical. Times are in microseconds and do not depend on the session's time
-- zone.

-- The conversion to UTC changes nothing: an epoch is the same in every zone. But extract is immutable only without a zone, and
-- PostgreSQL inlines an immutable function only if its body is immutable. A call that is not inlined costs 10 times as much.
create function ledger_microseconds(p_time timestamptz) returns bigint language sql immutable as
$$ select (extract(epoch from p_time at time zone 'UTC') * 1000000)::bigint $$;

-- The immutable part of a transaction: all columns except its status.
create function ledger_transaction_hash(t ledger_transaction) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(t.id, t.company_id, t.type, t.posted_status, t.amount, t.currency,
    t.key, t.reference, t.escrow_id,
    t.metadata, encode(t.content_hash, 'hex'), ledger_microseconds(t.created_at), t.position)::text, 'UTF8'))
$$;

create function ledger_entry_hash(e entry) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(e.id, e.transaction_id, e.account_id, e.company_id, e.origin_id, e.amount, e.currency,
    e.balance_after, ledger_microseconds(e.created_at))::text, 'UTF8'))
$$;

create function ledger_block_hash(b block) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(b.company_id, b.seq, encode(b.previous_hash, 'hex'), b.transaction_ids,
    b.transaction_hashes::text, b.entry_ids, b.entry_hashes::text, b.records, b.record_hashes::text, b.balances,
    ledger_microseconds(b.created_at))::text, 'UTF8'))
$$;
