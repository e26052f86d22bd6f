import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import { watchRun } from '../helpers/expect-silent.ts'
import { installPythonClient } from '../helpers/python-client.ts'

const cli = fileURLToPath(new URL('../../dist/server/cli.cjs', import.meta.url))

const fixtures: FixturesFile = {
  users: [{ username: 'alice' }],
  repos: [
    {
      name: 'alice/model',
      trustedPublishers: [
        { name: 'train', claims: { repository: 'alice/train', ref: 'refs/heads/main' } },
        {
          name: 'nightly',
          provider: 'gitlab',
          claims: { project_path: 'alice/train', ref: 'main' },
        },
      ],
    },
  ],
}

let folder: string
let interpreter: string
let obstacle: string | undefined
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hub-sandbox-ci-'))
  writeFileSync(join(folder, 'hub.json'), JSON.stringify(fixtures))
  writeFileSync(join(folder, 'weights.txt'), 'one')
  const installed = await installPythonClient()
  obstacle = installed.obstacle
  interpreter = installed.interpreter
}, 240_000)
beforeEach(({ skip }) => {
  skip(obstacle !== undefined, obstacle)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** File with the state that a run leaves. */
const leftBy = (ci: string, flags: readonly string[]) =>
  join(folder, `left-${ci}-${flags.length}.json`)

/** Uploads a file as a CI job, with the client as it was installed. */
async function upload(ci: string, ...flags: string[]): Promise<Ended> {
  const left = leftBy(ci, flags)
  const sandbox = ['--fixtures', join(folder, 'hub.json'), '--export-on-exit', left]
  const command = [interpreter, '-m', 'huggingface_hub.cli.hf', 'upload', 'alice/model']
  const words = [cli, 'exec', ...sandbox, '--ci', ci, ...flags, '--', ...command, 'weights.txt']
  return execute(words)
}

async function execute(words: readonly string[]): Promise<Ended> {
  const watched = watchRun(folder, words)
  const [program = '', exec = '', ...rest] = words
  const run = promisify(execFile)(process.execPath, [program, exec, ...watched.flags, ...rest], {
    cwd: folder,
    timeout: 120_000,
    env: { ...process.env, HF_HUB_DISABLE_PROGRESS_BARS: '1' },
  })
  const ended = await run.then(
    (output) => ({ code: 0, ...output }),
    (error: Ended) => error,
  )
  watched.expectSilent()
  return ended
}

describe.each([
  ['github', ['--ci-claim', 'repository=alice/train']],
  ['gitlab', ['--ci-claim', 'project_path=alice/train']],
])('huggingface_hub in a job of %s', (ci, flags) => {
  test('uploads without a token', async () => {
    const { code, stdout, stderr } = await upload(ci, ...flags)
    expect(stderr).not.toMatch(/Traceback/)
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('alice/model'),
    })
    const { repos } = JSON.parse(readFileSync(leftBy(ci, flags), 'utf8')) as FixturesFile
    expect(repos?.[0]?.files).toMatchObject({ 'weights.txt': 'one' })
  })

  test.each([
    ['wrong-audience', /its audience differs/],
    ['expired', /it expired at/],
    ['wrong-ref', /the claim ref differs/],
    ['unknown-key', /publishes no key/],
    ['replay', /it was exchanged before/],
  ])('gets no token in the drill %s', async (drill, message) => {
    const { code, stdout, stderr } = await upload(ci, ...flags, '--ci-drill', drill)
    expect(code).not.toBe(0)
    expect(stdout + stderr).toMatch(message)
  })

  test('exchanges its ID token for each of its commands', async () => {
    const left = join(folder, `twice-${ci}.json`)
    const sandbox = ['--fixtures', join(folder, 'hub.json'), '--export-on-exit', left]
    const upload = `'${interpreter}' -m huggingface_hub.cli.hf upload alice/model weights.txt`
    const script = `${upload} first.txt && ${upload} second.txt`
    const job = [cli, 'exec', ...sandbox, '--ci', ci, ...flags, '--', 'sh', '-c', script]
    expect(await execute(job)).toMatchObject({ code: 0 })
    const { repos } = JSON.parse(readFileSync(left, 'utf8')) as FixturesFile
    expect(repos?.[0]?.files).toMatchObject({ 'first.txt': 'one', 'second.txt': 'one' })
  })

  test('gets no token from another project', async () => {
    const { code, stdout, stderr } = await upload(ci)
    expect(code).not.toBe(0)
    expect(stdout + stderr).toMatch(
      /No trusted publisher matches this (GitHub Actions|GitLab CI) job/,
    )
  })
})
