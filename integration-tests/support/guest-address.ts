/** Where guests have their orders sent, in a country of the currency's region. */
export const guestAddress = (currency: "usd" | "aed") => ({
  first_name: "Aisha",
  last_name: "Rahman",
  address_1: "1 Creek Road",
  city: "Dubai",
  postal_code: "00000",
  country_code: currency === "usd" ? "us" : "ae",
})
