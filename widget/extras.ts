// What is loaded only when asked for: the payment on another phone, the receipt, the help with paying. Each is a sheet over the card.
export { openSheet } from './views/sheet.ts'
