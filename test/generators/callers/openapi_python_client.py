"""Creates a deposit, and reads a refusal by its code, with the code of openapi-python-client."""

import os
import uuid

from generated import AuthenticatedClient
from generated.api.payments import create_deposit
from generated.models import CreateDepositAnswer, Currency, DepositRequest, Problem

client = AuthenticatedClient(
    base_url=os.environ["ESCROW_URL"], token=os.environ["ESCROW_API_KEY"], prefix="", auth_header_name="x-api-key"
)


def deposit_for(user_id: str) -> CreateDepositAnswer | Problem | None:
    return create_deposit.sync(
        client=client,
        body=DepositRequest(amount=25000, currency=Currency.USD, user_id=user_id),
        x_company_id=os.environ["ESCROW_COMPANY_ID"],
        x_idempotency_key=str(uuid.uuid4()),
    )


deposit = deposit_for(os.environ["ESCROW_USER_ID"])
assert isinstance(deposit, CreateDepositAnswer)
print(f"deposit {deposit.status.value} {deposit.amount}")
refusal = deposit_for(f"usr_{uuid.uuid4()}")
assert isinstance(refusal, Problem)
print(f"problem {refusal.status} {refusal.code}")
