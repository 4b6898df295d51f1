// The backend of work.mjs as a program of Node, Bun or Deno.
import { work } from './work.mjs'

console.log(JSON.stringify(await work(JSON.parse(process.env.GIVEN))))
