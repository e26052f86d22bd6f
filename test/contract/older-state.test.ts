import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../server/index.ts'
import { stateFormatVersion } from '../../server/state/state.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const notes = '11111111-1111-4111-8111-111111111111'
const readme = (sdk: string) => ({ 'README.md': `---\nsdk: ${sdk}\nhf_oauth: true\n---\n` })
const fixtures = {
  users: [{ username: 'alice', email: 'alice@example.com' }],
  apps: [{ name: 'Notes', clientId: notes, redirectUris: ['http://localhost/callback'] }],
  repos: [
    { type: 'space' as const, name: 'alice/page', sdk: 'static' as const, files: readme('static') },
    { type: 'space' as const, name: 'alice/demo', sdk: 'gradio' as const, files: readme('gradio') },
  ],
}

/** Makes of a folder what a sandbox of format 1 would have left, with the ids that are there. */
function ageFolder(directory: string): void {
  for (const name of readdirSync(directory).filter((entry) => entry !== 'repos')) {
    const file = join(directory, name)
    const aged = readFileSync(file, 'utf8')
      .replace(`{"format":${stateFormatVersion},`, '{"format":1,')
      .replaceAll(/"redirectHosts":\["([^"]*)"[^\]]*\]/g, '"redirectHost":"$1","clientSecret":"s"')
      .replaceAll(/"id":"\[\\"(\w+)\\",\\"([\w-]+)\\"[^\]]*\]"/g, '"id":"$1 $2"')
    writeFileSync(file, aged)
  }
}

test('a data folder of format 1 starts with its apps and consents', async () => {
  const data = temporaryDirectory()
  const request = { user: 'alice', clientId: notes, scope: 'openid profile' }
  const first = await startSandbox({ data, fixtures })
  await first.signIn(request)
  const appsBefore = await appsOf(first.url)
  await first.close()
  ageFolder(data)
  const stored = readFileSync(join(data, 'state.json'), 'utf8')
  expect(stored).toMatch(/"redirectHost":"alice-page\.hf\.space"/)
  expect(stored).toContain(` ${notes}","userId"`)

  const sandbox = await startSandbox({ data, fixtures })
  onTestFinished(() => sandbox.close())
  const apps = await appsOf(sandbox.url)
  expect(apps.get('alice/page')).toEqual(appsBefore.get('alice/page'))
  expect(apps.get('alice/page')).toMatchObject({ public: true })
  expect(apps.get('alice/demo')).toMatchObject({ public: false, clientSecret: 's' })

  const cookie = await sessionOf(sandbox.url)
  const authorize = async (parameters: Record<string, string>) => {
    const url = `${sandbox.url}/oauth/authorize?${new URLSearchParams({ prompt: 'none', ...challenge, ...parameters })}`
    const answer = await fetch(url, { headers: { cookie }, redirect: 'manual' })
    return answer.headers.get('location') ?? (await answer.text())
  }
  expect(
    await authorize({
      client_id: notes,
      redirect_uri: 'http://localhost/callback',
      scope: 'profile openid',
    }),
  ).toMatch(/\?code=/)
  expect(
    await authorize({
      client_id: apps.get('alice/page')?.clientId ?? '',
      redirect_uri: 'https://alice-page.static.hf.space/',
    }),
  ).toMatch(/^https:\/\/alice-page\.static\.hf\.space\/\?error=consent_required/)
})

const challenge = {
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}

interface ListedApp {
  name: string
  clientId: string
  public: boolean
  clientSecret?: string
}

async function appsOf(url: string): Promise<Map<string, ListedApp>> {
  const answer = await fetch(`${url}/_sandbox/api/apps`)
  const { items } = (await answer.json()) as { items: ListedApp[] }
  return new Map(items.map((app) => [app.name, app]))
}

async function sessionOf(url: string): Promise<string> {
  const answer = await fetch(`${url}/_sandbox/api/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user: 'alice' }),
  })
  const { name, value } = (await answer.json()) as { name: string; value: string }
  return `${name}=${value}`
}
