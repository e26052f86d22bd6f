import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Advice } from '../../server/contract/control-advice.ts'
import { commandLineWorld } from '../helpers/command-line.ts'
import { controlAt } from '../helpers/sandbox.ts'

const { folder, run, start } = commandLineWorld()
const options = { timeout: 120_000 }

async function checked(url: string, ...args: string[]) {
  return run(['check', ...args, '--url', url]).ended
}

test('check tells nothing to check, no mistake and mistakes apart', options, async () => {
  const { url } = (await start(['--ephemeral'])).sandbox
  const nothing = await checked(url)
  expect(nothing).toMatchObject({ code: 3, stdout: expect.stringContaining('Nothing to check') })

  const fine = { headers: { authorization: 'Bearer hf_sandbox_alice' } }
  await fetch(`${url}/api/whoami-v2`, fine)
  expect(await checked(url)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^No mistakes found\. \d+ of \d+ checks had something to judge/),
  })

  await fetch(`${url}/api/daily_papers`, fine)
  expect(await checked(url)).toMatchObject({ code: 0 })
  const warned = await checked(url, '--fail-on', 'warning')
  expect(warned.code).toBe(1)
  expect(warned.stdout).toMatch(/^warning {2}portability\/not-emulated/)
  expect(warned.stdout).toMatch(/GET \/api\/daily_papers 501 \(\S+\) was answered 501/)
  expect(await checked(url, '--max-warnings', '0')).toMatchObject({ code: 1 })

  // With a control sequence of terminals as UTF-8.
  await fetch(`${url}/api/models?access_token=hf_sandbox_alice&search=%C2%9B2J`)
  const failed = await checked(url, '--json')
  expect(failed.code).toBe(1)
  expect(failed.stdout).toContain(String.raw`\u009b2J`)
  expect(failed.stdout).not.toContain('\u009B')
  const { items } = JSON.parse(failed.stdout) as Advice
  expect(items.map(({ rule }) => rule)).toEqual(['token/secret-in-url', 'portability/not-emulated'])
  expect(failed.stdout).not.toContain('hf_sandbox_alice')
  expect(await checked(url, '--fail-on', 'none')).toMatchObject({ code: 0 })

  expect(await checked(url, '--since', '1h')).toMatchObject({ code: 1 })
  await controlAt(url).post('clock', { advance: '2h' })
  expect(await checked(url, '--since', '1h')).toMatchObject({ code: 0 })
})

test('check explains its checks, and names what it does not know', options, async () => {
  const { url } = (await start(['--ephemeral'])).sandbox
  const listed = await checked(url, '--list')
  expect(listed.stdout).toMatch(/^token\/refresh-race +error +Two requests/m)
  const explained = await checked(url, '--explain', 'token/refresh-race')
  expect(explained.stdout).toMatch(/Fix: Let one refresh[^]*RFC 9700, 4\.14\.2: https:/)
  const loop = await checked(url, '--explain', 'sign-in/loop')
  expect(loop.stdout).toContain('Not reported if the sign-ins are hours apart.')
  const ofApp = await checked(url, '--explain', 'id-token/nonce')
  expect(ofApp.stdout).toMatch(
    /of the audit of apps \(core, full, oidf\)[^]*Fix: Compare the nonce/,
  )
  const ofReceiver = await checked(url, '--explain', 'again/same')
  expect(ofReceiver.stdout).toMatch(/of receivers \(core, full\)[^]*Needs: effects\.[^]*Fix: /)
  const wrong: [args: string[], message: string][] = [
    [['--explain', 'id-token/nonse'], 'did you mean "id-token/nonce"?'],
    [['--explain', 'token/refresh-rac'], 'did you mean "token/refresh-race"?'],
    [['--fail-on', 'errors'], 'error, warning, note, likely, none'],
    [['--max-warnings', 'few'], '--max-warnings'],
    [['--since', 'yesterday'], 'such as 10m'],
    [['--since', '9999999999d'], 'such as 10m'],
    [['--format', 'sarff'], 'did you mean "sarif"?'],
    [['--out', 'checks.html'], 'Unknown suffix'],
    [['--ignore', 'token/refresh-race'], 'needs a reason'],
    [['--ignore', 'token/refresh-rac=x'], 'did you mean "token/refresh-race"?'],
    [['--update-baseline'], 'requires --baseline'],
    [['--baseline', 'missing.json'], '--update-baseline'],
    [['--source', 'missing.json'], 'there is no file missing.json'],
    [['--app', 'Nobody'], 'Nobody'],
  ]
  for (const [args, message] of wrong) {
    const { code, stderr } = await checked(url, ...args)
    expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining(message)])
  }
  expect(await checked('http://127.0.0.1:9')).toMatchObject({ code: 2 })
})

describe('with a mistake', () => {
  async function withMistake() {
    const { url } = (await start(['--ephemeral'])).sandbox
    await fetch(`${url}/api/models?access_token=hf_sandbox_alice`)
    return { url }
  }

  test('check writes each format to a file', options, async () => {
    const { url } = await withMistake()
    const shapes: [name: string, shape: RegExp][] = [
      ['a.sarif', /"version": "2\.1\.0"[^]*"ruleId": "token\/secret-in-url"/],
      ['a.xml', /<testsuites name="hub-sandbox checks"[^]*<failure/],
      ['a.md', /### hub-sandbox checks/],
      ['a.json', /"exitCode": 1/],
      ['a.txt', /^error {2}token\/secret-in-url/],
    ]
    for (const [name, shape] of shapes) {
      const file = join(folder(), 'made-by-check', name)
      expect(await checked(url, '--out', file)).toMatchObject({ code: 1, stdout: '' })
      const text = readFileSync(file, 'utf8')
      expect(text).toMatch(shape)
      expect(text).not.toContain('hf_sandbox_alice')
    }
    writeFileSync(join(folder(), 'package.json'), '{}')
    const annotated = await checked(url, '--format', 'github', '--source', 'package.json')
    expect(annotated.stdout).toMatch(/^::error file=package\.json,line=\d+,title=token\/secret/)
  })

  test('check ignores with a reason, and reports an ignore of nothing', options, async () => {
    const { url } = await withMistake()
    const ignored = await checked(url, '--ignore', 'token/secret-in-url=a test')
    expect(ignored).toMatchObject({ code: 0, stdout: expect.stringContaining('1 finding ignored') })
    const useless = await checked(url, '--ignore', 'device/polls-on=old')
    expect(useless).toMatchObject({ code: 1 })
    expect(useless.stdout).toContain('The ignore of device/polls-on matches no finding')
  })

  test('a baseline lets an old app start with what it has', options, async () => {
    const { url } = await withMistake()
    const file = join(folder(), 'checks.json')
    const baseline = ['--baseline', file]
    expect(await checked(url, ...baseline, '--update-baseline')).toMatchObject({ code: 0 })
    expect(await checked(url, ...baseline)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 finding in the baseline'),
    })
    await fetch(`${url}/api/datasets?access_token=hf_sandbox_alice`)
    const next = await checked(url, ...baseline)
    expect(next.code).toBe(1)
    expect(next.stdout.match(/^error/gm)).toHaveLength(1)
    writeFileSync(file, '{"findings": [{"id": "gone"}]}')
    expect((await checked(url, ...baseline)).stdout).toContain('1 of the baseline gone')
    writeFileSync(file, '[]')
    expect(await checked(url, ...baseline)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is no baseline'),
    })
  })
})

test('start --advice-report writes the findings of all resets at the end', options, async () => {
  const file = join(folder(), 'checks.json')
  const started = await start(['--ephemeral', '--advice-report', file])
  const { url } = started.sandbox
  const reset = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
  for (const path of ['/api/models', '/api/datasets']) {
    await fetch(`${url}${path}?access_token=hf_sandbox_alice`)
    expect((await fetch(`${url}/_sandbox/api/reset`, reset)).status).toBe(200)
  }
  await fetch(`${url}/api/models?access_token=hf_sandbox_alice`)
  started.child.kill('SIGTERM')
  await started.ended
  const report = JSON.parse(readFileSync(file, 'utf8')) as {
    findings: { rule: string; count: number }[]
  }
  expect(report.findings.map(({ rule, count }) => `${rule} ${count}`).toSorted()).toEqual([
    'token/secret-in-url 1',
    'token/secret-in-url 2',
  ])
})

test('exec --advice-report writes the findings of the program', options, async () => {
  const script = `
    const ask = (path) => fetch(process.env.HUB_SANDBOX_URL + path, { redirect: 'manual' })
    await ask('/api/models?access_token=hf_sandbox_alice')
    await ask('/api/daily_papers')
    process.exitCode = 7`
  const program = ['--', process.execPath, '--input-type=module', '-e', script]
  const file = join(folder(), 'checks.xml')
  const ended = await run(['exec', '--advice-report', file, ...program]).ended
  expect(ended).toMatchObject({ code: 7 })
  const text = readFileSync(file, 'utf8')
  expect(text).toMatch(/<testcase name="token\/secret-in-url[^>]*>\s*<failure/)
  expect(text).toContain('portability/not-emulated')
  expect(text).not.toContain('hf_sandbox_alice')

  const wrong = await run(['exec', '--advice-report', 'a.html', ...program]).ended
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('".html"') })
  const { url } = (await start(['--ephemeral'])).sandbox
  const running = await run(['exec', '--url', url, '--advice-report', file, ...program]).ended
  expect(running).toMatchObject({ code: 2, stderr: expect.stringContaining('--advice-report') })
})

test('start --advice-report refuses a suffix that it does not know', options, async () => {
  const ended = await run(['start', '--port', '0', '--ephemeral', '--advice-report', 'a.html'])
    .ended
  expect(ended).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('unknown suffix ".html"'),
  })
})
