import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Advice } from '../../server/contract/control-advice.ts'
import type { WebhookList } from '../../server/contract/control-webhooks.ts'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import { demoVariants } from '../../server/contract/words/sandbox-words.ts'
import { deliveryProfiles } from '../../server/contract/words/webhook-words.ts'
import { connectSandbox } from '../../server/index.ts'
import { describeFindings } from '../../server/client/check-matchers.ts'
import { commandLineWorld, cliCommand } from '../helpers/command-line.ts'
import { printed } from '../helpers/printed.ts'
import { readQr } from '../helpers/read-qr.ts'
import { controlAt } from '../helpers/sandbox.ts'

const { run, start, execute, folder } = commandLineWorld()
const patience = 60_000

const escape = '\u001b'
/** That of util-linux, which makes a pseudo-terminal; the one of macOS takes other options. */
const hasScript = spawnSync('script', ['--version']).status === 0
let url: string
beforeAll(async () => {
  const text = readFileSync(new URL('../../fixtures/default.json', import.meta.url), 'utf8')
  const fixtures = JSON.parse(text) as FixturesFile
  const file = join(folder(), 'demo.json')
  // A device that may ask every second; a name that would colour a terminal and set its title.
  const config = { device: { interval: '1s' } }
  const [app, ...apps] = fixtures.apps ?? []
  const named = { ...app, name: `${escape}[31mRed${escape}]0;title\u0007` }
  const { $schema: _schema, ...rest } = fixtures as FixturesFile & { $schema?: string }
  writeFileSync(file, JSON.stringify({ ...rest, apps: [named, ...apps], config }))
  url = (await start(['--ephemeral', '--fixtures', file])).sandbox.url
})
// Nobody has consented to anything yet.
beforeEach(() => control('POST', 'reset'))
// The checks judge the user's apps, not the ones that a demo plays.
afterEach(async () => {
  const { items } = await control<Advice>('GET', 'advice')
  if (items.length > 0) throw new Error(`the demo has findings:${describeFindings(items)}`)
})

async function played(args: readonly string[], env?: Record<string, string>) {
  return run(['demo', ...args, '--url', url], env).ended
}

/** Output of a successful demo. */
async function play(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await played(args)
  expect({ code, failure: code === 0 ? '' : stderr }).toEqual({ code: 0, failure: '' })
  return stdout
}

/** The steps, by number and name. */
function stepsOf(shown: string): string[] {
  return shown.split('\n').flatMap((line) => /^ ?\d+ {2}(\S+(?: \S+)*) {2}/.exec(line)?.[1] ?? [])
}

const control = async <T>(method: 'GET' | 'POST', path: string, body?: object) =>
  (await controlAt(url).send(method, path, body)).body as T

describe('a demo prints one line for each step of a flow', { timeout: patience }, () => {
  test('a sign-in with PKCE ends with the decoded claims of its user', async () => {
    const shown = await play('sign-in', '--yes', '--user', 'bob')
    expect(stepsOf(shown)).toEqual([
      'authorization request',
      'login',
      'consent',
      'token request',
      'userinfo request',
    ])
    expect(shown).toMatch(/ID token \(RS256\), signature valid/)
    expect(shown).toMatch(/preferred_username +"bob"/)
    expect(shown).toMatch(/exp +\d+ {2}\d{4}-\d\d-\d\dT/)
    expect(shown).toContain('Completed.')
    // The drawing closes it.
    expect(shown).toMatch(/Completed\.[^]+Browser → Hub +authorization request[^]+→ Hub +userinfo/)
    expect(shown).not.toContain(escape)
  })

  test('and ends with where to look at it, in the dashboard and in the terminal', async () => {
    const shown = await play('sign-in', '--yes')
    const [, page = '', id = ''] = /(http:\S+\/_sandbox\/sign-ins\/(\S+))\n/.exec(shown) ?? []
    expect((await fetch(page)).status).toBe(200)
    expect(shown.trimEnd()).toMatch(new RegExp(`flows ${id} --url ${url}$`))
    expect(await run(['flows', id, '--url', url]).ended).toMatchObject({ code: 0 })
    expect(await play('webhook')).toMatch(/\/_sandbox\/deliveries\n.* deliveries --url \S+\n$/)
  })

  test('and starts a sandbox of its own where HUB_SANDBOX_DATA names a folder', async () => {
    const data = join(folder(), 'data')
    const demo = await run(['demo', 'sign-in', '--yes'], { HUB_SANDBOX_DATA: data }).ended
    expect(demo.stderr).toMatch(/^No sandbox is running\. Started a temporary one/)
    expect(demo).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('start --open') as string,
    })
    expect(existsSync(data)).toBe(false)
  })

  test('--verbose prints each request as it is on the wire', async () => {
    const shown = await play('sign-in', '--yes', '--verbose', '--user', 'bob')
    expect(shown).toMatch(/GET \/oauth\/authorize\?\S*code_challenge_method=S256/)
    const [, state] = /[?&]state=([\w-]+)/.exec(shown) ?? []
    expect(shown).toMatch(
      new RegExp(String.raw`^location: http://localhost/callback\?code=\S*state=${state}`, 'm'),
    )
    expect(shown).toMatch(/POST \S*\/oauth\/token[^]+code_verifier=[^]+"access_token"/)
    expect(shown).toMatch(/\/oauth\/userinfo[^]+"preferred_username": ?"bob"/)
    expect(shown).not.toContain(escape)
  })

  test('a device that polls before and after its code is approved', async () => {
    const shown = await play('device', '--yes', '--user', 'alice')
    expect(shown).toMatch(/poll +400 authorization_pending[^]+user code[^]+poll +200/)
    expect(shown).toMatch(/Enter the code [A-Z0-9]{4}-[A-Z0-9]{4} at http:\S+\/oauth\/dev/)
    expect(stepsOf(shown)).toContain('user code')
    expect(shown).toMatch(/preferred_username +"alice"/)
  })

  test('a device flow that waits for a person shows its polls on one line', async () => {
    const demo = run(['demo', 'device', '--url', url])
    const userCode = await printedGroup(demo, /Enter the code (\S+) at/)
    await printed(demo, /Waiting for the user: polls return 400 authorization_pending\./, 'stdout')
    await polled(2)
    await control('POST', `device/${userCode}`, { user: 'bob', decision: 'approve' })
    const { code, stdout } = await demo.ended
    expect(code).toBe(0)
    expect(stdout.match(/Waiting for the user/g)).toHaveLength(1)
    expect(stepsOf(stdout).filter((name) => name === 'poll')).toHaveLength(1)
    expect(stdout).toMatch(/poll +400 authorization_pending ×\d+, 200 /)
    expect(stdout).toMatch(/Another device cannot open this URL, .*--lan/)
    expect(stdout).not.toMatch(/[▀▄█]/)
  })

  test('a token exchange is granted and refused, with the rows of the audit log', async () => {
    const shown = await play('exchange')
    expect(shown).toMatch(
      /Completed\. Acme Pipeline has a token for alice[^]+Refused\. invalid_grant/,
    )
    expect(shown).toMatch(
      /Audit log\n.* acme {2}Issued a token for alice@example\.com\n.* acme {2}Refused a token: /,
    )
  })

  test('a webhook demo goes from the event to the request at the receiver', async () => {
    const shown = await play('webhook')
    expect(stepsOf(shown)).toEqual(['webhook', 'event', 'delivery'])
    expect(shown).toMatch(
      /x-webhook-secret: sandboxDemoWebhookSecret[^]+"webhook": \{\s+"id": "\w+"/,
    )
    expect(await control('GET', 'webhooks')).toMatchObject({ items: [] })
  })

  test('common mistakes are printed with their fixes', async () => {
    const shown = await play('refused')
    const titles = shown
      .split('\n')
      .flatMap((line) => /^([\w-]+): .* at http:/.exec(line)?.[1] ?? [])
    expect(titles).toEqual([...demoVariants])
    expect(shown.match(/Refused\./g)).toHaveLength(demoVariants.length)
    expect(shown.match(/Fix: /g)).toHaveLength(demoVariants.length)
    expect(await play('refused', 'pkce')).toMatch(/invalid_grant: code_verifier does not match/)
  })

  test('a mistake that the sandbox cannot show is skipped with a notice', async () => {
    const app = { name: 'Only', redirectUris: ['http://localhost/callback'], scopes: ['openid'] }
    const file = join(folder(), 'few.json')
    writeFileSync(file, JSON.stringify({ users: [{ username: 'alice' }], apps: [app] }))
    const { sandbox } = await start(['--ephemeral', '--fixtures', file])
    const at = ['--url', sandbox.url]
    const all = await run(['demo', 'refused', ...at]).ended
    expect(all).toMatchObject({ code: 0, stderr: '' })
    expect(all.stdout).toMatch(/^secret: skipped\n.*"apps" in the fixtures: .*"clientSecret"/m)
    for (const exchange of ['not-a-member', 'scope']) {
      expect(all.stdout).toMatch(new RegExp(`^${exchange}: skipped$`, 'm'))
    }
    expect(all.stdout.match(/Refused\./g)).toHaveLength(demoVariants.length - 3)
    const one = await run(['demo', 'refused', 'secret', ...at]).ended
    expect(one).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"apps" in the fixtures'),
    })
  })

  test('control characters in names are escaped', async () => {
    const shown = await play('sign-in', '--yes')
    expect(shown).toContain(' [31mRed ]0;title ')
    expect(shown).not.toContain('\u0007')
  })
})

describe('demos in a sandbox with other options', { timeout: patience }, () => {
  test.each(deliveryProfiles)(
    'a webhook is delivered under the delivery profile %s',
    async (profile) => {
      const { sandbox } = await start(['--ephemeral', '--delivery-profile', profile])
      const { code, stdout } = await run(['demo', 'webhook', '--url', sandbox.url]).ended
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringContaining('Completed. The receiver got the event.'),
      })
    },
  )

  test.each(['sign-in', 'device'])(
    'the signed-in user is named when another user approves: %s',
    async (flow) => {
      const { sandbox } = await start(['--ephemeral', '--auto-approve', 'bob'])
      const { stdout } = await run(['demo', flow, '--user', 'carol', '--yes', '--url', sandbox.url])
        .ended
      expect(stdout).toMatch(/Completed\..* knows that bob signed in/)
    },
  )
})

test('a killed demo leaves no webhook behind', { timeout: patience }, async () => {
  const { sandbox } = await start(['--ephemeral'])
  await using connected = await connectSandbox(sandbox.url)
  await connected.faults.add({ match: { webhookId: '*' }, delay: '30s' })
  const demo = run(['demo', 'webhook', '--url', sandbox.url])
  const names = async () => {
    const { items } = await connected.control<WebhookList>('GET', 'webhooks')
    return items.map(({ name }) => name)
  }
  await expect.poll(names, { timeout: patience }).toContain('hub-sandbox demo')
  demo.child.kill('SIGKILL')
  await expect.poll(names, { timeout: 30_000 }).not.toContain('hub-sandbox demo')
})

describe('demos approved by a person', { timeout: patience }, () => {
  test.runIf(process.platform === 'linux')('--open opens the browser for the person', async () => {
    const opened = join(folder(), 'opened')
    const program = join(folder(), 'xdg-open')
    writeFileSync(
      program,
      `#!/bin/sh\nprintf %s "$1" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`,
    )
    chmodSync(program, 0o755)
    const env = { PATH: `${folder()}:${process.env['PATH']}` }
    const demo = run(['demo', 'sign-in', '--open', '--url', url], env)
    const told = await printedGroup(demo, /Open this URL, sign in and decide: (\S+)/)
    await expect.poll(() => existsSync(opened), { timeout: patience }).toBe(true)
    expect(readFileSync(opened, 'utf8')).toBe(told)
    await answerAsBob(told)
    const { code, stdout } = await demo.ended
    expect(code).toBe(0)
    expect(stdout).toMatch(/preferred_username +"bob"/)
  })

  test('exits with 1 when the person denies', async () => {
    const demo = run(['demo', 'sign-in', '--url', url])
    await answerAsBob(await printedGroup(demo, /Open this URL, .*: (\S+)/), 'deny')
    expect(await demo.ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^access_denied/),
    })
  })
})

describe('exit codes of a demo', { timeout: patience }, () => {
  test('0 for a requested refusal', async () => {
    expect(await play('sign-in', '--deny')).toMatch(/Refused\. access_denied/)
    expect(await play('device', '--deny')).toMatch(/Refused\. access_denied/)
  })

  test('1 for an unexpected result', async () => {
    const { code, stderr } = await played(['sign-in', '--yes', '--user', 'zoe'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'There is no user zoe.\n' })
    const nobody = await run(['demo', 'sign-in', '--yes', '--url', 'http://localhost:1']).ended
    expect(nobody).toMatchObject({ code: 1, stdout: '' })
    expect(nobody.stderr).toContain('No sandbox is running at http://localhost:1')
  })

  test('2 for contradictory options', async () => {
    for (const args of [
      ['sign-in', '--yes', '--deny'],
      ['device', '--yes', '--open'],
      ['refused', 'everything'],
    ]) {
      expect(await played(args)).toMatchObject({ code: 2, stdout: '' })
    }
  })

  test('--json prints a single JSON document', async () => {
    const told = JSON.parse(await play('sign-in', '--yes', '--json', '--user', 'bob')) as unknown
    expect(told).toMatchObject({
      demo: 'sign-in',
      sandbox: url,
      flows: [
        {
          ending: { outcome: 'completed' },
          flowId: expect.any(String),
          idToken: {
            claims: { preferred_username: 'bob' },
            signature: expect.stringMatching(/^valid/),
          },
          steps: expect.arrayContaining([
            expect.objectContaining({
              name: 'token request',
              // The app checks the ID token with the published keys.
              requests: ['/oauth/token', '/oauth/jwks'].map((path) => ({
                request: expect.objectContaining({ path }),
                answer: expect.objectContaining({ status: 200 }),
              })),
            }),
          ]),
        },
      ],
    })
  })
})

describe('demos without a running sandbox', { timeout: patience }, () => {
  test('a demo starts its own sandbox and stops it', async () => {
    const { code, stderr } = await run(['demo', 'sign-in', '--yes']).ended
    expect(code).toBe(0)
    const [, own] = /Started a temporary one at (http:\S+)\.$/m.exec(stderr) ?? []
    await expect(fetch(own ?? '')).rejects.toThrow('fetch failed')
  })

  test('an interrupt stops both and exits with 130', async () => {
    const demo = run(['demo', 'device'])
    await printedGroup(demo, /Enter the code (\S+) at/)
    demo.child.kill('SIGINT')
    const { code, stderr } = await demo.ended
    expect(code).toBe(130)
    const [, own] = /Started a temporary one at (http:\S+)\.$/m.exec(stderr) ?? []
    await expect(fetch(own ?? '')).rejects.toThrow('fetch failed')
  })
})

describe('demos in a terminal', { timeout: patience }, () => {
  test('colours are used in terminals only, unless forced or switched off', async () => {
    const args = ['refused', 'redirect-uri']
    const forced = await played(args, { FORCE_COLOR: '1' })
    expect(forced.stdout).toContain(`${escape}[31mRefused.${escape}[39m`)
    expect((await played([...args, '--no-color'], { FORCE_COLOR: '1' })).stdout).not.toContain(
      escape,
    )
    expect((await played(args, { FORCE_COLOR: '1', NO_COLOR: '1' })).stdout).not.toContain(escape)
  })

  test.skipIf(!hasScript)(
    'the code of a device is printed as a QR code that a phone reads',
    async () => {
      const demo = inTerminal('demo', 'device', '--url', url)
      const userCode = await printedGroup(demo, /Enter the code \S*?([A-Z0-9]{4}-[A-Z0-9]{4})/)
      await polled(2)
      await control('POST', `device/${userCode}`, { user: 'bob', decision: 'approve' })
      const { stdout } = await demo.ended
      expect(readTerminalQr(stdout)).toBe(`${url}/oauth/device`)
      // The line of the polls grows in its place.
      const [rewritten = ''] = stdout.split('\n').filter((line) => line.includes('poll'))
      expect(rewritten.split(`\r${escape}[2K`).length).toBeGreaterThan(2)
    },
  )
})

/** A browser, as far as a program needs one: signs in as bob, answers, and goes back to the app. */
async function answerAsBob(address: string, decision = 'approve'): Promise<void> {
  const { pathname, search } = new URL(address)
  const next = `${pathname}${search}&prompt=consent`
  const post = (path: string, form: Record<string, string>, cookie?: string) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(form),
      ...(cookie === undefined ? {} : { headers: { cookie } }),
    })
  const login = await post('/login', { user: 'bob', next })
  const cookie = login.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
  const answer = await post(next, { decision }, cookie)
  expect(await (await fetch(answer.headers.get('location') ?? '')).text()).toContain(
    'The app has the response',
  )
}

/** Waits for a pattern on stdout and returns its first group. */
async function printedGroup(demo: ReturnType<typeof run>, pattern: RegExp): Promise<string> {
  const [, group = ''] = await printed(demo, pattern, 'stdout')
  return group
}

/** Once the newest device has asked so often. */
async function polled(times: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const { items } = await control<{ items: { requests: { error?: string }[] }[] }>(
          'GET',
          'flows',
        )
        return items[0]?.requests.filter(({ error }) => error === 'authorization_pending').length
      },
      { timeout: patience },
    )
    .toBeGreaterThanOrEqual(times)
}

/** The command line in a pseudo-terminal, by `script` of util-linux. */
function inTerminal(...args: string[]) {
  const words = [...cliCommand, ...args].map((word) => `'${word}'`).join(' ')
  return execute('script', ['--quiet', '--return', '--command', words, '/dev/null'], {
    TERM: 'xterm-256color',
  })
}

/** Reads the half blocks back into modules, dark on light, and those as a camera would. */
function readTerminalQr(shown: string): string | undefined {
  const halves: Record<string, [number, number]> = {
    ' ': [0, 0],
    '▀': [1, 0],
    '▄': [0, 1],
    '█': [1, 1],
  }
  const lines = shown
    .split('\n')
    .filter((line) => line.includes(`${escape}[38;5;16;48;5;231m`))
    .flatMap((line) => /231m([ ▀▄█]+)/.exec(line)?.[1] ?? [])
  const rows = lines.flatMap((line) =>
    [0, 1].map((half) => Array.from(line, (cell) => halves[cell]?.[half])),
  )
  return readQr(rows[0]?.length ?? 0, (row, column) => rows[row]?.[column] === 1)
}
