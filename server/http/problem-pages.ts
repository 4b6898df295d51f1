// `GET /problems/:code`: what an error is, for who follows the `type` of one.
import { Hono } from 'hono'
import { html } from 'hono/html'
import { problems } from '../contract/index.ts'
import { CompanionError } from '../platform/errors.ts'
import type { Env } from './http.ts'

export function problemPages(): Hono<Env> {
  const app = new Hono<Env>()
  app.get('/problems/:code', async (c) => {
    const code = c.req.param('code')
    const problem = Object.entries(problems).find(([name]) => name === code)?.[1]
    if (problem === undefined) throw new CompanionError('not_found', { detail: 'There is no error with this code.' })
    c.header('cache-control', 'public, max-age=3600')
    return c.html(
      html`<!doctype html>
        <html lang="en">
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <title>${code}</title>
          <h1><code>${code}</code></h1>
          <p>${problem.title}.</p>
          <p>
            The companion answers it with status ${problem.status}. The answer itself says in <code>detail</code> what
            happened and what to do.
          </p>
        </html>`,
    )
  })
  return app
}
