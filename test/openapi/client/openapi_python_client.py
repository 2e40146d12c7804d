"""What a user of the client writes that openapi-python-client makes: test/outside-client/generated-clients.test.ts runs it."""
import json
import os
from uuid import UUID

from tidemark_client import AuthenticatedClient
from tidemark_client.api.billing_administration import instance_admin
from tidemark_client.api.health import get_health_ready
from tidemark_client.api.ton_transactions_status_configuration_contracts import query_transactions_v3
from tidemark_client.models import (
    GetRevenue,
    HistoryItemTon,
    Problem,
    QueryTransactionsV3Request,
    QueryTransactionsV3RequestAccount,
    QueryTransactionsV3RequestCursor,
    QueryTransactionsV3RequestNetwork,
    Revenue,
    VoidInvoice,
)

client = AuthenticatedClient(base_url=os.environ['API'], token=os.environ['TOKEN'])
health = get_health_ready.sync(client=client)
history = query_transactions_v3.sync(
    client=client,
    body=QueryTransactionsV3Request(
        account=QueryTransactionsV3RequestAccount(ton_address=os.environ['TON'], solana_address=''),
        network=QueryTransactionsV3RequestNetwork.MAINNET,
        cursor=QueryTransactionsV3RequestCursor(),
    ),
)
revenue = instance_admin.sync(
    client=client, body=GetRevenue(action='get_revenue'), x_min_position=os.environ['POSITION']
)
void = VoidInvoice(action='void_invoice', invoice_id=UUID('6a1c0b7e-9b1d-4a57-8f0e-2f4d6c1b9a3e'), reason='wrong')
refused = instance_admin.sync(client=client, body=void)
assert isinstance(refused, Problem), refused

print(
    json.dumps(
        {
            'health': health.status,
            'history': [item.data.hash_ for item in history.data if isinstance(item, HistoryItemTon)],
            'revenue': [row.total_fee for row in Revenue.from_dict(revenue.to_dict()).summary],
            'refused': refused.code,
        }
    )
)
