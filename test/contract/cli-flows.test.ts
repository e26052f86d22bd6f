import { beforeAll, expect, test } from 'vitest'
import type { FlowDetail } from '../../server/contract/control-flows.ts'
import type { TokenItem } from '../../server/contract/control-tokens.ts'
import type { FlowItem, RequestItem } from '../../server/contract/control-requests.ts'
import { commandLineWorld } from '../helpers/command-line.ts'
import { callerAt } from '../helpers/cast.ts'

const { run, start } = commandLineWorld()
const options = { timeout: 60_000 }

let url: string
beforeAll(async () => {
  url = (await start(['--ephemeral'])).sandbox.url
  const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: 'nobody' })
  await fetch(`${url}/oauth/token`, { method: 'POST', body })
  await callerAt({ url }).post('/oauth/register', { client_name: 'Editor' })
})

async function said(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run([...args, '--url', url]).ended
  expect({ code, failure: code === 0 ? '' : stderr }).toEqual({ code: 0, failure: '' })
  return stdout
}

test('flows lists sign-ins, newest last, and prints one step by step', options, async () => {
  const lines = (await said('flows')).trimEnd().split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(/Refresh +nobody +refused +invalid_client: /)
  const list = JSON.parse(await said('flows', '--json')) as FlowItem[]
  const [newest, refused] = list
  expect(newest?.kind).toBe('registration')
  const id = refused?.id ?? ''
  const story = await said('flows', id)
  expect(story).toMatch(/nobody → Hub +refresh request\n.*error response +401 invalid_client\n +\S/)
  expect(JSON.parse(await said('flows', id, '--json'))).toMatchObject({
    id,
    steps: [{ name: 'refresh request' }, { name: 'error response' }],
  } satisfies { id: string; steps: Partial<FlowDetail['steps'][number]>[] })
})

test('requests prints the reasons of refused requests, and filters them', options, async () => {
  const refused = await said('requests', '--refused')
  expect(refused).toMatch(/ 401 POST \/oauth\/token .*flow \S+\n {4}invalid_client: \S/)
  expect(refused).not.toContain('/oauth/register')
  const [created] = JSON.parse(await said('requests', '--status', '2xx', '--json')) as RequestItem[]
  expect(created?.path).toBe('/oauth/register')
})

test('an app is found by name or client id, even if deleted or unknown', options, async () => {
  const ids = async (...args: string[]) => {
    const items = JSON.parse(await said(...args, '--json')) as { id: string }[]
    return items.map(({ id }) => id)
  }
  expect(await ids('requests', '--client', 'Editor')).toHaveLength(1)
  expect(await ids('requests', '--client', 'nobody')).toHaveLength(1)
  await said('token')
  const [token] = JSON.parse(await said('tokens', '--state', 'active', '--json')) as TokenItem[]
  const { clientId = '', name = '' } = token?.app ?? {}
  expect(await ids('tokens', '--client', name)).toEqual(await ids('tokens', '--client', clientId))
  expect(await ids('tokens', '--client', name)).toContain(token?.id)
})

test.each([
  [['requests', '--client', 'editr'], 1, 'Unknown app editr (did you mean "Editor"?)'],
  [['tokens', '--client', 'nope'], 1, 'Unknown app nope'],
  [['flows', 'none'], 1, 'Unknown sign-in none'],
  [['flows', '--limit', 'many'], 2, '--limit must be a whole number from 1 to 1000'],
  [['requests', '--status', 'bad'], 2, 'status'],
])('%j is refused with the reason', options, async (args, code, message) => {
  const ended = await run([...args, '--url', url]).ended
  expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) })
})

test('summary prints the results of sign-ins as Markdown', options, async () => {
  const text = await said('summary')
  expect(text).toContain('| Sign-ins | 1 | 1 | 0 |')
  expect(text).toMatch(/^- `refresh, nobody`: refused\. invalid\\_client: /m)
  const cases = JSON.parse(await said('summary', '--json')) as { name: string; failure?: string }[]
  expect(cases.map(({ name }) => name)).toEqual(['refresh, nobody', 'app registration, Editor'])
})
