import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import type { FlowItem } from '../../server/contract/control-requests.ts'
import { commandLineWorld } from '../helpers/command-line.ts'

const { folder, run, start } = commandLineWorld()
/** Each starts Node twice, whose sources may have to be compiled anew. */
const patience = 120_000

const node = process.execPath

/** An app that makes a mistake, with a credential of elsewhere in its hands. */
const failing = `
  const { HF_ENDPOINT } = process.env
  const body = new URLSearchParams({ grant_type: 'authorization_code', client_id: 'nobody', code: 'stale' })
  await fetch(HF_ENDPOINT + '/oauth/token', { method: 'POST', body })
  await fetch(HF_ENDPOINT + '/api/whoami-v2', { headers: { authorization: 'Bearer hf_UmVhbFRva2VuT2ZNaW5l' } })
  process.exit(4)
`
const program = (script: string) => [node, '--input-type=module', '-e', script]

function kept(name: string): string[] {
  return readdirSync(join(folder(), name)).map((file) => join(folder(), name, file))
}

describe('exec --artifact', { timeout: patience }, () => {
  test('keeps a failed run, and a new sandbox shows the same sign-in', async () => {
    const args = ['exec', '--artifact', "what's left", '--', ...program(failing)]
    const { code, stderr } = await run(args).ended
    expect(code).toBe(4)
    const [file = '', page = ''] = kept("what's left").toSorted((a) =>
      a.endsWith('.html') ? 1 : -1,
    )
    expect(file).toMatch(/\d{8}-\d{6}-\w[\w-]*\.hubsandbox$/)
    // Windows has no such modes.
    expect(process.platform === 'win32' || (statSync(file).mode & 0o077) === 0).toBe(true)
    // What is told works as it stands, in a shell.
    expect(stderr).toContain(` --fixtures '${file.replaceAll("'", String.raw`'\''`)}' --ephemeral`)
    expect(page).toBe(file.replace(/hubsandbox$/, 'html'))
    expect(stderr).toContain(page)
    const report = readFileSync(page, 'utf8')
    expect(report).toMatch(/1 sign-in, 0 deliveries, 2 requests/)
    expect(report.includes('hf_UmVhbFRva2VuT2ZNaW5l')).toBe(false)
    const text = readFileSync(file, 'utf8')
    expect(text.includes('hf_UmVhbFRva2VuT2ZNaW5l')).toBe(false)
    const { log } = JSON.parse(text) as FixturesFile
    expect(log).toMatchObject({ exitCode: 4, command: expect.stringContaining('--input-type') })

    const { child, ended, sandbox } = await start(['--ephemeral', '--fixtures', file])
    const shown = await run(['flows', '--json', '--url', sandbox.url]).ended
    const [flow] = JSON.parse(shown.stdout) as FlowItem[]
    expect(flow?.id).toBe(log?.requests?.[0]?.id)
    expect(flow).toMatchObject({ outcome: 'refused', kind: 'authorization-code' })
    const status = await run(['status', '--url', sandbox.url]).ended
    expect(status.stdout + status.stderr).toMatch(/Recorded run +of \d{4}-.*viewing only/)
    const exported = await run(['snapshot', 'export', '--url', sandbox.url]).ended
    expect(JSON.parse(exported.stdout)).not.toHaveProperty('log')
    child.kill('SIGTERM')
    const told = (await ended).stderr
    expect(told).toMatch(/recorded run of .*nothing is delivered, retried or run.*snapshot export/)
  })

  test('keeps a successful run only on request', async () => {
    const ok = program('process.exit(0)')
    await run(['exec', '--artifact', 'quiet', '--', ...ok]).ended
    expect(kept('quiet')).toEqual([])
    const always = ['exec', '--artifact', 'quiet', '--artifact-when', 'always', '--', ...ok]
    await Promise.all([run(always).ended, run(always).ended])
    expect(kept('quiet').filter((file) => file.endsWith('.hubsandbox'))).toHaveLength(2)
  })

  test('refuses a folder that is not writable, before the program starts', async () => {
    writeFileSync(join(folder(), 'taken'), '')
    mkdirSync(join(folder(), 'there'))
    const marker = join(folder(), 'there', 'ran')
    const script = `(await import('node:fs')).writeFileSync(${JSON.stringify(marker)}, '')`
    const refused = await run(['exec', '--artifact', 'taken', '--', ...program(script)]).ended
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/^--artifact: /) })
    const alone = ['exec', '--artifact-when', 'always', '--', ...program(script)]
    expect(await run(alone).ended).toMatchObject({ code: 2 })
    expect(kept('there')).toEqual([])
  })
})
