"""What a user of the client writes that openapi-generator makes for Python: test/outside-client/generated-clients.test.ts runs it."""
import json
import os

from openapi_client import (
    ApiClient,
    BillingAdministrationApi,
    Configuration,
    GetRevenueRequest,
    HealthApi,
    InstanceAdminRequest,
    QueryTransactionsV3Request,
    QueryTransactionsV3RequestAccount,
    QueryTransactionsV3RequestCursor,
    Revenue,
    TONTransactionsStatusConfigurationContractsApi,
    VoidInvoiceRequest,
)
from openapi_client.exceptions import NotFoundException

configuration = Configuration(host=os.environ['API'], access_token=os.environ['TOKEN'])
with ApiClient(configuration) as api:
    health = HealthApi(api).get_health_ready()
    history = TONTransactionsStatusConfigurationContractsApi(api).query_transactions_v3(
        QueryTransactionsV3Request(
            account=QueryTransactionsV3RequestAccount(ton_address=os.environ['TON'], solana_address=''),
            network='mainnet',
            cursor=QueryTransactionsV3RequestCursor(),
        )
    )
    billing = BillingAdministrationApi(api)
    revenue = billing.instance_admin(
        InstanceAdminRequest(GetRevenueRequest(action='get_revenue')), x_min_position=os.environ['POSITION']
    )
    try:
        void = VoidInvoiceRequest(action='void_invoice', invoice_id='6a1c0b7e-9b1d-4a57-8f0e-2f4d6c1b9a3e', reason='wrong')
        billing.instance_admin(InstanceAdminRequest(void))
        refused = None
    except NotFoundException as error:
        refused = error.data.code

print(
    json.dumps(
        {
            'health': health.status,
            'history': [item.actual_instance.data.hash for item in history.data],
            'revenue': [row.total_fee for row in Revenue.from_dict(revenue).summary],
            'refused': refused,
        }
    )
)
