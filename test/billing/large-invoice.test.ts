import { describeLargeInvoice } from './large-invoice';

describeLargeInvoice('the embedded engines');
