import { expect, test, vi } from 'vitest'
import { npmPackages } from '../helpers/recipes/needs.ts'
import { recipe } from '../helpers/recipes/recipe.ts'

recipe(
  {
    folder: 'mcp',
    needs: [npmPackages],
    start: ['npm', 'start'],
  },
  (stage) => {
    /** Runs the client, and opens what it asks for once the sandbox has seen it register. */
    async function runClient(decision: 'approve' | 'deny') {
      const client = stage.start(['node', 'client.js', `${stage.app.url}/mcp`])
      const address = await vi.waitFor(
        () => {
          const [url] = /http\S+\/oauth\/authorize\S+/.exec(client.said()) ?? []
          if (url === undefined) throw new Error(`no address yet: ${client.said()}`)
          return url
        },
        { timeout: 60_000, interval: 100 },
      )
      const page = await stage.user('carol', decision).open(address)
      expect(page.text).toBe('You can close this window.')
      return { code: await client.ended, said: client.said() }
    }

    test('registers by itself, signs in, and calls a tool of the server', async () => {
      const { code, said } = await runClient('approve')
      expect(said).toContain('The server knows me as carol')
      expect(code).toBe(0)
      const { items } = await stage.sandbox.control<{ items: { kind: string }[] }>('GET', 'flows')
      expect(items.map(({ kind }) => kind)).toContain('registration')
    })

    test('says that its user refused', async () => {
      const { code, said } = await runClient('deny')
      expect(said).toContain('Not signed in: The user denied the request.')
      expect(code).toBe(1)
    })

    test('has a server that asks for a token, and takes none that has ended', async () => {
      const call = (token: string) =>
        fetch(`${stage.app.url}/mcp`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            authorization: `Bearer ${token}`,
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
        })
      const { access_token: token } = await stage.sandbox.signIn({ scope: 'openid profile' })
      expect((await call(token)).status).toBe(200)
      await stage.sandbox.clock.advance('9h')
      const refused = await call(token)
      expect(refused.status).toBe(401)
      expect(refused.headers.get('www-authenticate')).toContain('resource_metadata=')
    })
  },
)
