import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { reportFormats } from '../../server/contract/words/advice-words.ts'
import { commandLineWorld } from '../helpers/command-line.ts'
import { serve } from '../helpers/json-receiver.ts'

const { folder, run, start } = commandLineWorld()
vi.setConfig({ testTimeout: 120_000 })
const secret = 'Kept-Secret-77'

/** A receiver that checks the secret, and one path where it does not. */
async function startReceiver() {
  let count = 0
  return serve((request, response) => {
    if (request.url === '/count') {
      response.end(String(count))
      return
    }
    request.resume()
    request.on('error', () => undefined)
    request.on('end', () => {
      const isOpen = request.url?.startsWith('/open') === true
      const isRight = isOpen || request.headers['x-webhook-secret'] === secret
      if (isRight) count++
      response.writeHead(isRight ? 204 : 401).end()
    })
  })
}

async function worldWithReceiver() {
  const receiver = await startReceiver()
  const { url } = (await start(['--ephemeral'])).sandbox
  const audit = (target: string, ...args: string[]) =>
    run(['audit', 'receiver', target, ...args, '--url', url]).ended
  return { receiver, audit, url }
}

test('audit receiver exits with 0, 1, 2 and 3', async () => {
  const { receiver, audit } = await worldWithReceiver()
  const good = await audit(`${receiver}/hook`, '--secret', secret, '--only', 'secret')
  expect(good).toMatchObject({ code: 0, stdout: expect.stringMatching(/10 passed/) })
  expect(good.stderr).toMatch(/^passed +secret\/missing$/m)

  const open = await audit(`${receiver}/open`, '--secret', secret, '--only', 'secret/wrong')
  expect(open.code).toBe(1)
  expect(open.stdout).toMatch(
    /^error {2}secret\/wrong\n {2}The receiver does not refuse another secret\.\n[^]*Observed: The receiver responded with 204/m,
  )
  const noted = ['--secret', secret, '--only', 'http/get']
  expect(await audit(`${receiver}/open`, ...noted)).toMatchObject({ code: 0 })
  expect(await audit(`${receiver}/open`, ...noted, '--fail-on', 'note')).toMatchObject({ code: 1 })

  const refused = await audit(`${receiver}/hook`, '--secret', 'another')
  expect(refused.code).toBe(2)
  expect(refused.stdout).toMatch(
    /The receiver responded with 401 to a correct\s+delivery\. Check the secret\./,
  )

  const silent = await audit(`${receiver}/hook`, '--secret', secret, '--only', 'again')
  expect(silent.code).toBe(3)
  expect(silent.stdout).toContain('Nothing was judged, which is no pass.')
})

test('audit receiver names what it does not know', async () => {
  const { receiver, audit, url } = await worldWithReceiver()
  const wrong: [args: string[], message: string][] = [
    [[receiver, '--only', 'secrets'], 'There is no module secrets'],
    [[receiver, '--plan', 'all'], 'plan'],
    [[receiver, '--fail-on', 'errors'], 'error, warning, note, none'],
    [[receiver, '--format', 'sarff'], 'did you mean "sarif"?'],
    [[receiver, '--profile', 'hubs'], 'profile'],
    [[receiver, '--seed', '1'], '--seed requires --storm'],
    [[receiver, '--storm', '--orders', 'many'], '--orders'],
    [['ftp://localhost/'], 'starts with http'],
    [['0123456789abcdef01234567'], 'There is no webhook'],
    [[url], 'belongs to this sandbox'],
  ]
  for (const [args, message] of wrong) {
    const [target = '', ...rest] = args
    const { code, stderr } = await audit(target, ...rest)
    expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining(message)])
  }
})

test('every format has the failure and no secret', async () => {
  const { receiver, audit } = await worldWithReceiver()
  const args = [`${receiver}/open?secret=${secret}`, '--secret', secret, '--only', 'secret/missing']
  for (const format of reportFormats) {
    const { code, stdout, stderr } = await audit(
      args[0] ?? '',
      ...args.slice(1),
      '--format',
      format,
    )
    expect([format, code]).toEqual([format, 1])
    expect(stdout).toContain('secret/missing')
    expect(stdout + stderr).not.toContain(secret)
  }
  const suffixes = {
    sarif: /"version": "2\.1\.0"/,
    xml: /<failure/,
    md: /^### /,
    json: /"exitCode": 1/,
  }
  for (const [suffix, shape] of Object.entries(suffixes)) {
    const file = join(folder(), `audit.${suffix}`)
    await audit(args[0] ?? '', ...args.slice(1), '--out', file)
    expect(readFileSync(file, 'utf8')).toMatch(shape)
  }
})

test('a storm finds work that is done twice', async () => {
  const { receiver, audit } = await worldWithReceiver()
  const storm = ['--storm', '--events', '10', '--effects', `${receiver}/count`]
  const found = await audit(
    `${receiver}/hook`,
    '--secret',
    secret,
    ...storm,
    '--orders',
    '1',
    '--seed',
    'one',
  )
  expect(found.code).toBe(1)
  expect(found.stdout).toMatch(/handled events twice[^]*with the seed one\./)
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s stops an audit, which reports what it has judged',
  async (signal) => {
    const { receiver, url } = await worldWithReceiver()
    const slow = ['--only', 'time/slow-sender', '--only', 'secret/missing', '--secret', secret]
    const running = run(['audit', 'receiver', `${receiver}/hook`, ...slow, '--url', url])
    await expect.poll(() => running.output(), { timeout: 20_000 }).toContain('secret/missing')
    running.child.kill(signal)
    const { code, stdout } = await running.ended
    expect(code).toBe(130)
    expect(stdout).toContain('not reached: time/slow-sender')
    const { items } = (await (await fetch(`${url}/_sandbox/api/audits`)).json()) as {
      items: { state: string }[]
    }
    expect(items.map(({ state }) => state)).toEqual(['stopped'])
  },
)
