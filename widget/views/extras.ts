// Loaded on demand: pay on another phone, the receipt, help with paying. Each is a sheet over the
// card.
export { openSheet } from './sheet.ts'
