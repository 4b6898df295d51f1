// A program of its own, since the package unpacks into the temporary folder of its process: see
// chromium.ts.
import chromium from '@sparticuz/chromium'

await chromium.executablePath()
