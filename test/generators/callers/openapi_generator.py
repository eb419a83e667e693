"""Creates a deposit, and reads a refusal by its code, with the Python code of openapi-generator."""

import os
import uuid

import openapi_client
from openapi_client.models import DepositRequest, Problem

configuration = openapi_client.Configuration(
    host=os.environ["ESCROW_URL"], api_key={"apiKey": os.environ["ESCROW_API_KEY"]}
)
payments = openapi_client.PaymentsApi(openapi_client.ApiClient(configuration))


def deposit_for(user_id: str):
    body = DepositRequest(amount=25000, currency=openapi_client.Currency.USD, user_id=user_id)
    return payments.create_deposit(os.environ["ESCROW_COMPANY_ID"], str(uuid.uuid4()), body)


deposit = deposit_for(os.environ["ESCROW_USER_ID"])
print(f"deposit {deposit.status.value} {deposit.amount}")
try:
    deposit_for(f"usr_{uuid.uuid4()}")
except openapi_client.ApiException as error:
    assert isinstance(error.data, Problem)
    print(f"problem {error.status} {error.data.code}")
