import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import { callerAt } from '../helpers/cast.ts'
import { cliCommand, commandLineWorld } from '../helpers/command-line.ts'
import { hasProgram } from '../helpers/programs.ts'
import { sharedSandbox } from '../helpers/sandbox.ts'

const { execute, folder, run, start } = commandLineWorld()
const patience = 90_000
/** Plays the Hub. */
const hub = sharedSandbox()
const owner = () => callerAt(hub, 'hf_sandbox_alice')

/** Runs `pull`, whose contents are kept in the folder of the test. */
const pull = (...args: string[]) =>
  run(['pull', ...args], { HF_ENDPOINT: hub.url, XDG_CACHE_HOME: join(folder(), 'cache') }).ended
const file = (name = 'hub-sandbox.json') => readFileSync(join(folder(), name), 'utf8')
const changeReadme = () => {
  const lines = [
    { key: 'header', value: { summary: 'Change' } },
    { key: 'file', value: { path: 'README.md', content: '# changed\n' } },
  ]
  return owner().postLines('/api/datasets/acme/corpus/commit/main', lines)
}

describe('pull', { timeout: patience }, () => {
  test('writes a file that "start" finds by itself, and serves without the Hub', async () => {
    const { code, stdout, stderr } = await pull('datasets/acme/corpus', 'bob/gpt-tiny')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^datasets\/acme\/corpus at \w{7}: 4 files\nbob\/gpt-tiny at \w{7}: 3 files\nWrote hub-sandbox.json, with the organization acme and the user bob added.\n$/,
      ) as string,
    })
    const notice = `HF_ENDPOINT is ${hub.url}: add --from https://huggingface.co to read the real Hub.\n`
    expect(stderr.startsWith(notice)).toBe(true)
    expect(stderr).toContain(`Reading datasets/acme/corpus at main from ${hub.url}\n`)
    expect(stderr).toContain('  data/train.csv (126 bytes)\n')
    const { sandbox } = await start(['--ephemeral'], { HF_ENDPOINT: '' })
    const path = '/datasets/acme/corpus/resolve/main/data/train.csv'
    const [before, after] = await Promise.all(
      [hub.url, sandbox.url].map(async (url) => (await fetch(url + path)).text()),
    )
    expect(after).toBe(before)
    const alice = callerAt({ url: sandbox.url }, 'hf_sandbox_alice')
    expect((await alice.get('/api/whoami-v2')).body).toMatchObject({ name: 'alice' })
  })

  test('reports in JSON, and writes nothing when nothing is new', async () => {
    await pull('datasets/acme/corpus')
    const before = file()
    const { code, stdout } = await pull('datasets/acme/corpus', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      file: 'hub-sandbox.json',
      isWritten: false,
      added: { users: [], organizations: [] },
      repos: [
        {
          repo: 'datasets/acme/corpus',
          revision: 'main',
          commit: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
          files: 4,
          standIns: 0,
          edited: [],
        },
      ],
    })
    expect(file()).toBe(before)
    expect(await pull('--update')).toMatchObject({
      code: 0,
      stdout: 'hub-sandbox.json is up to date.\n',
    })
    expect(readdirSync(join(folder(), 'cache', 'hub-sandbox', 'pull'))).toEqual([])
  })

  test('--check exits with 1 for a change, which --update fetches', async () => {
    await pull('datasets/acme/corpus', '--files', 'data/*', '--max-file', '100')
    expect(await pull('--check')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^datasets\/acme\/corpus is unchanged \(\w{7}\)\n$/) as string,
    })
    await changeReadme()
    const before = file()
    expect(await pull('--check')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^datasets\/acme\/corpus has changed \(\w{7} → \w{7}\)\n {2}changed {2}README.md\n$/,
      ) as string,
    })
    const { code, stdout } = await pull('--check', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ repos: [{ changed: ['README.md'] }] })
    expect(file()).toBe(before)
    expect(await pull('--update')).toMatchObject({ code: 0 })
    const { repos } = JSON.parse(file()) as FixturesFile
    expect(repos?.[0]?.files).toMatchObject({
      'README.md': '# changed\n',
      'data/train.csv': { standIn: { size: 126 } },
    })
    expect(await pull('--check')).toMatchObject({ code: 0 })
  })

  test('adds to the file of the folder, or to that of --out', async () => {
    writeFileSync(join(folder(), 'hub-sandbox.yaml'), '# mine\nusers:\n  - username: acme\n')
    expect(await pull('datasets/acme/corpus')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Wrote hub-sandbox.yaml.\n') as string,
    })
    expect(file('hub-sandbox.yaml')).toMatch(/^# mine\nusers:\n {2}- username: acme\nrepos:\n/)
    await pull('datasets/acme/corpus', '--out', 'other.json')
    expect(JSON.parse(file('other.json'))).toMatchObject({ repos: [{ name: 'acme/corpus' }] })
    expect(await pull('datasets/acme/corpus', '--out', 'no/such/folder.json')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^Cannot write no\/such\/folder.json: it does not exist \(ENOENT\); the old file is unchanged/m,
      ) as string,
    })
  })

  test('reads what a token may read, and --from takes precedence over HF_ENDPOINT', async () => {
    const from = ['--from', hub.url]
    const run1 = run(['pull', 'alice/draft-summarizer', ...from], {
      HF_ENDPOINT: 'http://127.0.0.1:1',
    })
    expect(await run1.ended).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^[^\n]*\nalice\/draft-summarizer cannot be read on [^\n]*\n$/,
      ) as string,
    })
    expect(readdirSync(folder())).not.toContain('hub-sandbox.json')
    const token = ['--token', 'hf_sandbox_alice']
    expect(await pull('alice/draft-summarizer', ...from, ...token)).toMatchObject({ code: 0 })
    expect(JSON.parse(file())).toMatchObject({ repos: [{ private: true }] })
  })

  test.each([
    [['pull'], /^Name a repo, such as org\/name or datasets\/org\/name, or use --update\.$/m],
    [['pull', '--check', '--update'], /--check and --update cannot be combined/],
    [['pull', '--check', '--max-file', '1MB'], /--check and --max-file cannot be combined/],
    [['pull', '--update'], /^hub-sandbox.json has no pulled repo: pull one with/m],
    [['pull', 'a/b', '--max-file', 'big'], /^--max-file must be a size such as/m],
    [['pull', 'a/b', '--from', 'hub'], /^--from must be the URL of a Hub, such as https:/m],
    [['pull', 'a/b', '--out', 'a.txt'], /^--out must end in .json/m],
    [['pull', 'a/b', '--out', '.json'], /^--out must end in .json/m],
  ])('exits with 2 for invalid usage: %j', async (args, message) => {
    const { code, stderr, stdout } = await run(args, { HF_ENDPOINT: hub.url }).ended
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
  })

  test('leaves the file of someone who edits it meanwhile', async () => {
    await pull('bob/gpt-tiny')
    await hub.faults.add({ match: { route: '/api/datasets/acme/corpus/refs' }, delay: '3s' })
    const pulling = pull('datasets/acme/corpus')
    await expect.poll(async () => (await hub.faults.list())[0]?.hits, { timeout: 30_000 }).toBe(1)
    const edited = file().replace('"alice"', '"anna"')
    writeFileSync(join(folder(), 'hub-sandbox.json'), edited)
    expect(await pulling).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'hub-sandbox.json has changed since the command started: run it again; what was fetched is kept.\n',
      ) as string,
    })
    expect(file()).toBe(edited)
  })

  test.skipIf(!hasProgram('bash'))('leaves the old file when the disk takes no more', async () => {
    await pull('bob/gpt-tiny')
    const before = file()
    const content = 'x'.repeat(7000)
    await owner().postLines('/api/datasets/acme/corpus/commit/main', [
      { key: 'header', value: { summary: 'Grow' } },
      { key: 'file', value: { path: 'large.txt', content } },
    ])
    // Enough for each content, and too little for the file with all of them.
    const words = [...cliCommand, 'pull', 'datasets/acme/corpus'].map((word) => `'${word}'`)
    const env = { HF_ENDPOINT: hub.url, XDG_CACHE_HOME: join(folder(), 'cache') }
    const line = `ulimit -f 8; exec ${words.join(' ')}`
    const { code, stderr } = await execute('bash', ['-c', line], env).ended
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        /\nCannot write hub-sandbox.json: EFBIG[^\n]*; the old file is unchanged, and what was fetched is kept for the next run\.\n$/,
      ) as string,
    })
    expect(readdirSync(folder()).filter((name) => name.endsWith('.tmp'))).toEqual([])
    expect(file()).toBe(before)
  })
})
