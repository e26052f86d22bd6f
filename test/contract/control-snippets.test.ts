import { describe, expect, test } from 'vitest'
import type { AppItem } from '../../server/contract/control-apps.ts'
import { SnippetList } from '../../server/contract/control-snippets.ts'
import { frameworks } from '../../server/contract/words/sandbox-words.ts'
import { expectShape } from '../helpers/control.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

async function snippetsOf(app: Record<string, unknown>) {
  const sandbox = await startTestSandbox()
  const { clientId, clientSecret } = await sandbox.control<AppItem>('POST', 'apps', {
    name: 'Mine',
    ...app,
  })
  const list = await sandbox.control<SnippetList>('GET', `apps/${clientId}/snippets`)
  expectShape(SnippetList, list)
  const of = (framework: string) => {
    const snippet = list.items.find((item) => item.framework === framework)
    if (snippet === undefined) throw new Error(`no snippet for ${framework}`)
    return snippet
  }
  return { sandbox, clientId, clientSecret, list, of }
}

describe('the snippets of an app', () => {
  test('have its client id and secret, for each framework', async () => {
    const { sandbox, clientId, clientSecret, list } = await snippetsOf({})
    expect(list.items.map(({ framework }) => framework)).toEqual(frameworks)
    for (const { environment, files } of list.items) {
      expect(environment).toMatchObject({
        OPENID_PROVIDER_URL: sandbox.url,
        OAUTH_CLIENT_ID: clientId,
        OAUTH_CLIENT_SECRET: clientSecret,
      })
      expect(files.length).toBeGreaterThan(0)
    }
  })

  test('have no secret for a public app, and name the framework that requires one', async () => {
    const { list, of } = await snippetsOf({ public: true })
    for (const { environment } of list.items) {
      expect(environment).not.toHaveProperty('OAUTH_CLIENT_SECRET')
    }
    expect(of('gradio').unsuited).toContain('an app with a secret')
    expect(of('huggingface-js')).not.toHaveProperty('unsuited')
  })

  test('tell why the app does not accept their redirect URI', async () => {
    const { of } = await snippetsOf({ redirectUris: ['http://localhost/callback'] })
    expect(of('hono')).not.toHaveProperty('refusedBecause')
    expect(of('passport').refusedBecause).toContain('its path differs')
    expect(of('huggingface-js').unsuited).toContain('cannot keep a secret')
    expect(of('curl')).not.toHaveProperty('redirectUri')
  })
})
