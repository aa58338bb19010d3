import { GatewayClient, type GatewayClientOptions } from "./client"
import { FakeGateway } from "./fake-gateway.spec"
import type { CreatePaymentRequestInput } from "./payment-request"

export const input: CreatePaymentRequestInput = {
  currencySymbol: "AED",
  amount: "129.90",
  successUrl: "https://shop.example/return?session_id=payses_01",
  failedUrl: "https://shop.example/failed",
  payerEmailAddress: "buyer@example.com",
}

/** `wirePaymentRequest` as the client gives it. */
export const paymentRequest = {
  paymentRequestId: "pr_0001",
  paymentLink: "https://pay.example/pr_0001",
  currencySymbol: "AED",
  amount: "129.90000000000000",
  note: "payses_01",
  payerEmailAddress: "buyer@example.com",
  payerFirstName: "Ada",
  payerLastName: null,
  paymentCurrency: "USDT",
  paymentAmount: "35.37000000000000",
  receivingAmount: "127.40000000000000",
  feePaidBy: "MERCHANT",
  paymentFeeAmount: "2.50000000000000",
  paidAmount: null,
  refId: "REF-9",
  paymentStatus: "PAID",
  paymentStatusReceived: "PAID",
}

/** A gateway and a client of it, both new for each test. */
export class ClientUnderTest {
  gateway = new FakeGateway()
  client!: GatewayClient

  constructor() {
    beforeEach(async () => {
      this.gateway = new FakeGateway()
      await this.gateway.start()
      this.client = new GatewayClient({ baseUrl: this.gateway.baseUrl })
    })
    afterEach(async () => {
      await this.gateway.stop()
    })
  }

  replaceClient(options: Partial<GatewayClientOptions>): void {
    this.client = new GatewayClient({ baseUrl: this.gateway.baseUrl, ...options })
  }
}
