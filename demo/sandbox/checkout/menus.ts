// The code that opens an operator's menu on a phone, where a public page names it. The hosted
// checkout leads to no other menu.

/** By country and operator; each from pages of the operator's country that explain how to send. */
const CODES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  KE: { 'M-Pesa (Safaricom)': '*334#' },
  UG: { 'MTN MoMo': '*165#', 'Airtel Money': '*185#' },
  RW: { 'MTN MoMo Rwanda': '*182#' },
}

export const menuOf = (country: string, operator: string): string | undefined => CODES[country]?.[operator]
