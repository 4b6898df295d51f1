// The backend of work.mjs as a Worker.
import { work } from './work.mjs'

export default { fetch: async (_request, { GIVEN }) => Response.json(await work(JSON.parse(GIVEN))) }
