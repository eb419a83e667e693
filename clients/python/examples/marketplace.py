"""A marketplace, from its registration to a statement: `python marketplace.py API SANDBOX`, two addresses that `npm start` prints."""

import sys
import time

import httpx

from escrow_payments import EscrowClient, errors, models

base_url = sys.argv[1] if len(sys.argv) > 1 else "http://localhost:3000"
sandbox_url = sys.argv[2] if len(sys.argv) > 2 else ""
guest = EscrowClient(base_url)
email, password = f"olive-{time.time_ns()}@market.example", "a long passphrase"
owner = {"firstName": "Olive", "lastName": "Owner", "email": email, "password": password}
company = guest.register_company(name="Green Market", admin=owner)
session = guest.log_in(email=email, password=password)
assert isinstance(session, models.Session), "finish the login with finish_login"
owner_client = guest.with_credentials(company_id=company.id, access_token=session.access_token)
key = owner_client.create_api_key(name="shop server").key
market = guest.with_credentials(company_id=company.id, api_key=key)
buyer = market.create_user(mobile_number="+263771234567", id_number="63-1234567A00")
seller = market.create_user(mobile_number="+263777654321", id_number="63-7654321B00")
buyer_account = next(one.id for one in buyer.accounts if one.currency == "USD")
seller_account = next(one.id for one in seller.accounts if one.currency == "USD")
market.create_deposit(user_id=buyer.id, amount=60_000, currency="USD")
# Work in milestones: the first one is paid, then the buyer disputes the rest, and an administrator divides it.
work = market.initiate_escrow(
    buyer_id=buyer.id,
    seller_id=seller.id,
    buyer_account_id=buyer_account,
    items=[{"name": "Borehole", "quantity": 1, "pricePerUnit": 60_000}],
    milestones=[{"title": f"{part} percent", "percentage": part} for part in (40, 60)],
    external_reference="order-1",
)
market.release_escrow(work.id, milestone_id=work.milestones[0].id)
market.dispute_escrow(work.id, actor="BUYER", reason="The pump does not run.")
split = {"system_fee_cents": 0, "service_fee_cents": 0, "seller_payout_cents": 60_000}
try:
    market.resolve_dispute(work.id, new_split_plan=split, admin_id=company.admin.id)
except errors.SplitExceedsHeld as error:
    print("too much", error.details)
split["seller_payout_cents"] = 20_000
resolved = market.resolve_dispute(work.id, new_split_plan=split, admin_id=company.admin.id)
print("resolved", resolved.final_split.buyer_refund_cents)
# An order that is paid by card. The sandbox stands in for the buyer at the card form.
maize = [{"name": "Maize, 50 kg", "quantity": 2, "pricePerUnit": 12_500}]
link = market.create_payment_link(buyer_id=buyer.id, seller_id=seller.id, amount=25_000, currency="USD", items=maize)
checkout_id = guest.initiate_card_payment(payment_slug=link.hash).checkout_id
httpx.post(f"{sandbox_url}/_control/checkouts/{checkout_id}", json={"outcome": "success"})
while (card := guest.verify_card_payment(resource_path=f"/v1/checkouts/{checkout_id}/payment")).status == "PROCESSING":
    time.sleep(0.2)
print("card", card.status)
market.release_escrow(link.escrow_id)
bank = {"bank_name": "CBZ Bank", "branch_code": "6101", "account_number": "01234567", "account_name": "Sam Seller"}
payout = market.create_withdrawal(account_id=seller_account, amount=30_000, external_reference="payout-1", **bank)
while (status := market.get_withdrawal(payout.id).status) == "PROCESSING":
    time.sleep(0.2)
print("payout", status)
for entry in market.get_statement(seller_account).entries:
    print("statement", entry.type, entry.amount, entry.balance_after)
