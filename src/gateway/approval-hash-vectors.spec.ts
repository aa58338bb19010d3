// The digests were computed outside this code, with OpenSSL 3.0, one command per vector:
//
//   printf '%s' "$HASHED" | openssl dgst -sha256 -hmac 'sandbox-secret-key'
//
// where $HASHED is the vector's `hashed`: the values in order of their names, put together by hand. `hashed` is not
// used by the tests; it is there to run the command again.
export const KEY = "sandbox-secret-key"

interface Vector {
  name: string
  data: Record<string, unknown>
  hashed: string
  digest: string
}

export const unpaid: Vector = {
  name: "an unpaid notification with null fields",
  data: {
    payment_request_id: "pr_0001",
    payment_amount: "129.90000000000000",
    payment_currency: "AED",
    receiving_amount: "127.40000000000000",
    paid_cryptocurrency: null,
    fee_amount: "2.50000000000000",
    fee_paid_by: "MERCHANT",
    payer_email_address: "buyer@example.com",
    payer_first_name: "Ada",
    payer_last_name: "Lovelace",
    ref_id: null,
    merchant_id: "m-7",
    merchant_name: "Demo Shop",
    status: "UNPAID",
    paid_at: null,
    note: "0f1e2d3c-note",
  },
  hashed:
    "2.50000000000000MERCHANTm-7Demo Shop0f1e2d3c-notebuyer@example.comAdaLovelace129.90000000000000AEDpr_0001127.40000000000000UNPAID",
  digest: "595b601c826e7244772868ec05d0645208c464e2c6b79544f6406f9642361b49",
}

export const paid: Vector = {
  name: "a paid notification without null fields",
  data: {
    payment_request_id: "pr_0002",
    payment_amount: "100.00000000000000",
    payment_currency: "USD",
    receiving_amount: "100.00000000000000",
    paid_cryptocurrency: "USDT",
    fee_amount: "1.00000000000000",
    fee_paid_by: "BUYER",
    payer_email_address: "buyer@example.com",
    payer_first_name: "Ada",
    payer_last_name: "Lovelace",
    ref_id: "REF-9",
    merchant_id: "m-7",
    merchant_name: "Demo Shop",
    status: "PAID",
    paid_at: "2026-10-04T12:30:00Z",
    note: "payses_01",
  },
  hashed:
    "1.00000000000000BUYERm-7Demo Shoppayses_012026-10-04T12:30:00ZUSDTbuyer@example.comAdaLovelace100.00000000000000USDpr_0002100.00000000000000REF-9PAID",
  digest: "9a9c340be39f5a58ba4459f7bc851b4a659328c004740baf8e83910e0bd268b2",
}

const arabic: Vector = {
  name: "names in Arabic",
  data: {
    payment_request_id: "pr_0003",
    payment_amount: "100.00000000000000",
    payment_currency: "AED",
    payer_email_address: "buyer@example.com",
    payer_first_name: "فاطمة",
    payer_last_name: "الزهراء",
    merchant_id: "m-7",
    merchant_name: "متجر الاختبار",
    status: "UNPAID",
    note: null,
  },
  hashed: "m-7متجر الاختبارbuyer@example.comفاطمةالزهراء100.00000000000000AEDpr_0003UNPAID",
  digest: "df79d762ae191a26b2aa72826be798ac5b60d7d286a50f4e4d8d632bb73723fa",
}

const extra: Vector = {
  name: "a field the interface does not list",
  data: {
    payment_request_id: "pr_0004",
    payment_amount: "100.00000000000000",
    status: "PAID",
    z_new_field: "added later",
  },
  hashed: "100.00000000000000pr_0004PAIDadded later",
  digest: "26e14a09a784c6b5d622d240c0abcbcf492ce047e964897be64d18cc69a684be",
}

// By UTF-16 code unit U+1F600 (D83D DE00) would come before U+FB00; by code point, after it.
const astral: Vector = {
  name: "names sorted by code point, not by UTF-16 code unit",
  data: { "\u{1F600}": "E", "\uFB00": "D", a: "C", Z: "B", "1": "A" },
  hashed: "ABCDE",
  digest: "6920c154e807551ae165a9623e28e2c3e1a7b15ba898620dd8c8ef272fca9064",
}

export const nulls: Vector = {
  name: "nothing but nulls",
  data: { note: null, ref_id: null },
  hashed: "",
  digest: "d33a3ff9ba762042cc9e6cb5ecd9d59c7fc8cc60bc0e9f2f0a3f7f4c896f252c",
}

export const vectors = [unpaid, paid, arabic, extra, astral, nulls]

export const UNPAID_DIGEST = "fe4da7ed64fb24defdce791ec0da9ac6261a71664e8498be826dd992323aa451" // of UNPAID
export const UNPAID_DIGEST_OLD_KEY = "157611d671b212be1aea53035d1d187b8dfa6c1a6229f3c5ab4d084815f3eae3" // -hmac 'old-secret-key'
export const UNPAID_DIGEST_ARABIC_KEY = "fa4d3ff049e61efa54bbf445e0ff1b382a618f558fd4cc4293b3c1c713b7c676" // -hmac 'مفتاح'
