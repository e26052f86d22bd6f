import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { resolveOptions } from '../../server/app/config/resolve.ts'
import { runSandbox } from '../../server/app/run-sandbox.ts'
import { controlFixtures } from '../helpers/control.ts'

/** Every file of a folder and those below it. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}

async function damage(file: string): Promise<void> {
  await chmod(file, 0o600)
  await writeFile(file, 'no object')
}

test.each([
  [
    'are missing',
    rm,
    /^The sandbox could not use its data folder: .* is missing: .*repos.* does not exist\.$/,
  ],
  ['are damaged', damage, /^The sandbox could not use its data folder: .*repos.* is damaged: /],
])(
  'repo contents that %s are reported with the file, and the repo can be deleted',
  async (_name, harm, text) => {
    const data = await mkdtemp(join(tmpdir(), 'hub-sandbox-test-'))
    onTestFinished(() => rm(data, { recursive: true }))
    const start = async () =>
      runSandbox(await resolveOptions({ fixtures: controlFixtures, data, ephemeral: false }))
    await (await start()).close()
    for (const file of await filesIn(join(data, 'repos'))) await harm(file)

    const sandbox = await start()
    onTestFinished(() => sandbox.close())
    const headers = { host: new URL(sandbox.url).host, authorization: 'Bearer hf_sandbox_alice' }
    const repo = [...sandbox.deps.state.repos.values()].find(({ type }) => type === 'model')
    const url = `/api/models/${repo?.name}`
    const refused = await sandbox.app.inject({ url: `${url}/tree/main`, headers })
    expect({ status: refused.statusCode, body: refused.json() }).toEqual({
      status: 500,
      body: { error: expect.stringMatching(text) },
    })
    const path = `/_sandbox/api/repos/${encodeURIComponent(`${repo?.type}s/${repo?.name}`)}`
    const deleted = await sandbox.app.inject({ method: 'DELETE', url: path, headers })
    expect(deleted.statusCode).toBe(200)
    expect((await sandbox.app.inject({ url, headers })).statusCode).toBe(404)
  },
)
