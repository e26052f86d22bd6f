import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Caller, commandLine, inProcess } from '../../server/app/config/callers.ts'
import { resolveOptions } from '../../server/app/config/resolve.ts'
import type { SandboxOptions } from '../../server/contract/options-types.ts'
import { runSandbox } from '../../server/app/run-sandbox.ts'

const origin = 'https://evil.example'
const clientId = '11111111-2222-4333-8444-555555555555'
const file = {
  users: [{ username: 'alice' }],
  apps: [{ name: 'App', clientId, redirectUris: [`${origin}/callback`, 'http://localhost/cb'] }],
  config: { autoApprove: true },
}

/** Working folder with a fixtures file in it, and the same file beside the folder. */
function folders() {
  const root = mkdtempSync(join(tmpdir(), 'hub-sandbox-openings-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const working = join(root, 'project')
  mkdirSync(working)
  for (const path of [join(working, 'hub-sandbox.json'), join(root, 'downloaded.json')]) {
    writeFileSync(path, JSON.stringify(file))
  }
  symlinkSync(join(root, 'downloaded.json'), join(working, 'linked.json'))
  return { working, outside: join(root, 'downloaded.json') }
}

async function start(options: SandboxOptions, caller: Caller) {
  const resolved = await resolveOptions({ port: 0, ephemeral: true, ...options }, {}, caller)
  const sandbox = await runSandbox(resolved)
  onTestFinished(() => sandbox.close())
  const asPage = () =>
    fetch(`${sandbox.url}/api/models`, { headers: { origin } }).then(({ status }) => status)
  return {
    sandbox,
    asPage,
    autoApprove: resolved.settings.autoApprove,
    notices: resolved.openingNotices,
  }
}

describe('access granted by a fixtures file', () => {
  test.each([
    ['found, not named', () => ({}), /^hub-sandbox\.json was found/],
    [
      'outside of the working folder',
      (outside: string) => ({ fixtures: outside }),
      /downloaded\.json is outside/,
    ],
    ['a link to a file outside', () => ({ fixtures: 'linked.json' }), /linked\.json is outside/],
  ])('is ignored in a file that is %s, and the notices name the flags', async (_, options, why) => {
    const { working, outside } = folders()
    const started = await start(options(outside), { ...commandLine, folder: () => working })
    expect(await started.asPage()).toBe(403)
    expect(started.autoApprove).toBeUndefined()
    const [pages = '', consent = ''] = started.notices
    expect(pages).toContain(`Pages of ${origin} may not call the Hub's API: `)
    expect(pages).toContain(`--allow-origin ${origin}`)
    expect(consent).toMatch(/^config\.autoApprove is ignored: .*--auto-approve\.$/)
    expect(pages.slice(pages.indexOf(': ') + 2)).toMatch(
      new RegExp(why.source.replace('^', ''), 's'),
    )
  })

  test('applies for a file in the working folder that the user names, with a notice', async () => {
    const { working } = folders()
    const caller = { ...commandLine, folder: () => working }
    const started = await start({ fixtures: 'hub-sandbox.json' }, caller)
    expect(await started.asPage()).toBe(200)
    expect(started.autoApprove).toBe(true)
    expect(started.notices).toEqual([
      `hub-sandbox.json lets pages of ${origin} call the Hub's API.`,
      'hub-sandbox.json gives consent without a page (config.autoApprove).',
    ])
  })

  test('applies as far as flags grant it, whatever the file', async () => {
    const { working, outside } = folders()
    const options = { fixtures: outside, allowOrigin: [origin], autoApprove: 'alice' }
    const started = await start(options, { ...commandLine, folder: () => working })
    expect(await started.asPage()).toBe(200)
    expect(started.autoApprove).toBe('alice')
  })

  test('applies for the fixtures of a test, chosen by its author', async () => {
    const { outside } = folders()
    for (const fixtures of [outside, file]) {
      const started = await start({ fixtures }, inProcess)
      expect(await started.asPage()).toBe(200)
      expect(started.autoApprove).toBe(true)
      expect(started.notices).toEqual([])
    }
  })

  test('stays denied after a reset until the user sets the redirect URIs of the app', async () => {
    const { working, outside } = folders()
    const { sandbox, asPage } = await start(
      { fixtures: outside },
      { ...commandLine, folder: () => working },
    )
    const control = (method: string, path: string, body: object) =>
      fetch(`${sandbox.url}/_sandbox/api/${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    await control('POST', 'reset', {})
    expect(await asPage()).toBe(403)
    await control('PATCH', `apps/${clientId}`, { name: 'Renamed' })
    expect(await asPage()).toBe(403)
    await control('PATCH', `apps/${clientId}`, { redirectUris: [`${origin}/other`] })
    expect(await asPage()).toBe(200)
  })

  test('an imported file names the pages it allows once it is restored', async () => {
    const { sandbox } = await start({ fixtures: { users: [] } }, inProcess)
    const response = await fetch(`${sandbox.url}/_sandbox/api/snapshots`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'theirs', fixtures: file }),
    })
    expect(await response.json()).toMatchObject({
      notices: expect.arrayContaining([
        `The file, once restored, lets pages of ${origin} call the Hub's API.`,
      ]),
    })
  })
})
