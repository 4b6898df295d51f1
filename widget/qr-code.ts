// Encodes a short text as a QR code: byte mode, error correction level M, versions 1 to 20 (ISO/IEC 18004). No DOM; the view draws it.

/** Check codewords per block, and number of blocks, for each version at level M. */
const CHECKS = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26]
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16]

const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** Product in GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1. */
function times(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((b >> bit) & 1) * a)
  return product
}

/** Remainder of a binary polynomial: the check bits of format and version. */
function remainder(value: number, polynomial: number, bits: number): number {
  let rest = value << bits
  for (let bit = 31 - Math.clz32(rest); bit >= bits; bit--) if ((rest >> bit) & 1) rest ^= polynomial << (bit - bits)
  return rest
}

/** Number of alignment patterns along a side, with those in whose place a finder pattern stands. */
const alignments = (version: number): number => (version > 1 ? Math.floor(version / 7) + 2 : 0)

/** Number of codewords: all modules except the patterns and the format and version information. */
function capacity(version: number): number {
  const aligns = alignments(version)
  const alignment = aligns ? (25 * aligns - 10) * aligns - 55 : 0
  return ((16 * version + 128) * version + 64 - alignment - (version > 6 ? 36 : 0)) >> 3
}

function checkWords(data: readonly number[], degree: number): number[] {
  const generator: number[] = Array.from({ length: degree }, (_, at) => (at === degree - 1 ? 1 : 0))
  for (let step = 0, root = 1; step < degree; step++, root = times(root, 2))
    for (let at = 0; at < degree; at++) generator[at] = times(generator[at]!, root) ^ (generator[at + 1] ?? 0)
  const rest = generator.map(() => 0)
  for (const word of data) {
    const factor = word ^ rest.shift()!
    rest.push(0)
    generator.forEach((by, at) => (rest[at]! ^= times(by, factor)))
  }
  return rest
}

/** Data and check codewords of all blocks, interleaved in the order of the symbol. */
function codewords(bytes: Uint8Array, version: number): number[] {
  const total = capacity(version)
  const blocks = BLOCKS[version - 1]!
  const checks = CHECKS[version - 1]!
  const room = total - blocks * checks
  const nibbles = [4]
  for (let shift = version > 9 ? 12 : 4; shift >= 0; shift -= 4) nibbles.push((bytes.length >> shift) & 15)
  for (const byte of bytes) nibbles.push(byte >> 4, byte & 15)
  nibbles.push(0)
  const data: number[] = []
  for (let at = 0; data.length < room; at += 2)
    data.push(
      at < nibbles.length ? (nibbles[at]! << 4) | (nibbles[at + 1] ?? 0) : (at - nibbles.length) & 2 ? 0x11 : 0xec,
    )
  const rows: number[][] = []
  for (let block = 0, from = 0; block < blocks; block++) {
    const to = from + Math.floor(room / blocks) + (block >= blocks - (room % blocks) ? 1 : 0)
    rows.push(data.slice(from, to))
    from = to
  }
  const out: number[] = []
  for (const part of [rows, rows.map((row) => checkWords(row, checks))])
    for (let at = 0; at <= part[blocks - 1]!.length; at++)
      for (const row of part) if (at < row.length) out.push(row[at]!)
  return out
}

/** Penalty score of a symbol (ISO/IEC 18004, 7.8.3): long runs, blocks, patterns like the finder, imbalance. */
function penalty(rows: readonly (readonly boolean[])[]): number {
  let score = 0
  let dark = 0
  const line = (modules: readonly boolean[]): string => modules.map(Number).join('')
  const lines = rows.map(line)
  for (const text of [...lines, ...rows.map((_, x) => line(rows.map((row) => row[x]!)))]) {
    for (const run of text.match(/0{5,}|1{5,}/g) || []) score += run.length - 2
    for (const sign of ['00001011101', '10111010000'])
      for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) score += 40
  }
  lines.forEach((text, y) => {
    for (let x = 0; x < text.length; x++) {
      dark += Number(text[x])
      const square = y && x ? text.slice(x - 1, x + 1) + lines[y - 1]!.slice(x - 1, x + 1) : ''
      if (square === '0000' || square === '1111') score += 3
    }
  })
  return score + Math.floor(Math.abs((dark * 20) / rows.length ** 2 - 10)) * 10
}

/** A symbol that is being drawn. */
interface Canvas {
  /** True for dark. */
  readonly rows: boolean[][]
  /** Modules of the patterns and of the format and version information: no data is placed there, and no mask applies. */
  readonly fixed: readonly boolean[][]
}

/** Draws a fixed module; what is outside of the symbol is left out. */
function set({ rows, fixed }: Canvas, x: number, y: number, dark: boolean): void {
  const { length: size } = rows
  if (x < 0 || y < 0 || x >= size || y >= size) return
  rows[y]![x] = dark
  fixed[y]![x] = true
}

/** Draws a finder pattern (reach 4, with its separator) or an alignment pattern (reach 2) around a centre. */
function drawRings(canvas: Canvas, x: number, y: number, reach: 2 | 4): void {
  for (let dy = -reach; dy <= reach; dy++)
    for (let dx = -reach; dx <= reach; dx++) {
      const ring = Math.max(Math.abs(dx), Math.abs(dy))
      set(canvas, x + dx, y + dy, ring !== 4 && ring !== (reach === 2 ? 1 : 2))
    }
}

/** Draws level and mask, twice. */
function drawFormat(canvas: Canvas, mask: number): void {
  const { length: size } = canvas.rows
  // Level M is 00.
  const bits = ((mask << 10) | remainder(mask, 0x537, 10)) ^ 0x5412
  for (let at = 0; at < 15; at++) {
    const dark = ((bits >> at) & 1) === 1
    set(canvas, 8, at < 6 ? at : at < 8 ? at + 1 : size - 15 + at, dark)
    set(canvas, at < 8 ? size - 1 - at : at < 9 ? 7 : 14 - at, 8, dark)
  }
  set(canvas, 8, size - 8, true)
}

/** Draws what does not depend on the text, with the room of the format information. */
function drawPatterns(canvas: Canvas, version: number): void {
  const { length: size } = canvas.rows
  for (let at = 0; at < size; at++) {
    set(canvas, 6, at, at % 2 === 0)
    set(canvas, at, 6, at % 2 === 0)
  }
  drawRings(canvas, 3, 3, 4)
  drawRings(canvas, size - 4, 3, 4)
  drawRings(canvas, 3, size - 4, 4)
  const aligns = alignments(version)
  const step = Math.ceil((version * 4 + 4) / (aligns * 2 - 2)) * 2
  const centres = Array.from({ length: aligns }, (_, at) => (at ? size - 7 - (aligns - 1 - at) * step : 6))
  for (const x of centres)
    for (const y of centres)
      if (!((x === 6 && y === 6) || (x === 6 && y === size - 7) || (x === size - 7 && y === 6)))
        drawRings(canvas, x, y, 2)
  drawFormat(canvas, 0)
  if (version > 6) {
    const bits = (version << 12) | remainder(version, 0x1f25, 12)
    for (let at = 0; at < 18; at++) {
      const dark = ((bits >> at) & 1) === 1
      set(canvas, size - 11 + (at % 3), Math.floor(at / 3), dark)
      set(canvas, Math.floor(at / 3), size - 11 + (at % 3), dark)
    }
  }
}

/** Places the codewords: two columns at a time from the right, alternately up and down, skipping the vertical timing pattern. */
function placeWords({ rows, fixed }: Canvas, words: readonly number[]): void {
  const { length: size } = rows
  let bit = 0
  for (let right = size - 1, up = true; right > 0; right -= right === 8 ? 3 : 2, up = !up)
    for (let along = 0; along < size; along++)
      for (const x of [right, right - 1]) {
        const y = up ? size - 1 - along : along
        if (!fixed[y]![x]) rows[y]![x] = ((words[bit >> 3]! >> (7 - (bit++ & 7))) & 1) === 1
      }
}

/** The rows under the mask with the least penalty. */
function bestMasked(canvas: Canvas): boolean[][] | undefined {
  const { rows, fixed } = canvas
  let best: boolean[][] | undefined
  let least = Infinity
  const plain = rows.map((row) => [...row])
  masks.forEach((mask, number) => {
    plain.forEach((row, y) => row.forEach((dark, x) => fixed[y]![x] || (rows[y]![x] = dark !== mask(x, y))))
    drawFormat(canvas, number)
    const score = penalty(rows)
    if (score >= least) return
    least = score
    best = rows.map((row) => [...row])
  })
  return best
}

/** Rows of modules, true for dark, without the quiet zone; undefined if the text is longer than 666 bytes. */
export function qrCode(text: string): boolean[][] | undefined {
  const bytes = new TextEncoder().encode(text)
  const version =
    1 + BLOCKS.findIndex((blocks, at) => capacity(at + 1) - blocks * CHECKS[at]! >= bytes.length + (at > 8 ? 3 : 2))
  if (!version) return undefined
  const size = version * 4 + 17
  const square = (): boolean[][] => Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  const canvas: Canvas = { rows: square(), fixed: square() }
  drawPatterns(canvas, version)
  placeWords(canvas, codewords(bytes, version))
  return bestMasked(canvas)
}
