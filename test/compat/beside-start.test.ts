import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { usualUrl } from '../../server/contract/usual-address.ts'
import { missingBuild } from '../helpers/missing-build.ts'
import { root } from '../helpers/packed.ts'
import { watch } from '../helpers/printed.ts'
import { run } from '../helpers/programs.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const obstacle = missingBuild('server/cli.cjs')
const cli = join(root, 'dist/server/cli.cjs')
const timeout = 600_000

/** Tests of commands, most of which look for a sandbox by themselves. */
const commandTests = ['cli-env', 'cli-hints', 'cli-stop']

/** Time and content of everything in a folder, by its path. */
function contentsOf(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  return Object.fromEntries(
    paths.map((path) => {
      const stat = statSync(join(folder, path))
      const content = stat.isFile() ? readFileSync(join(folder, path), 'utf8') : 'folder'
      return [path, `${stat.mtimeMs} ${content}`]
    }),
  )
}

test(
  'the command line is tested beside npm start and leaves it and the home alone',
  { timeout },
  async ({ skip }) => {
    skip(obstacle !== undefined, obstacle)
    const home = temporaryDirectory()
    for (const folder of ['.cache/huggingface', '.config', '.local/share', '.npm']) {
      mkdirSync(join(home, folder), { recursive: true })
    }
    writeFileSync(join(home, '.cache/huggingface/token'), 'hf_mine')
    // Those of a user: this worker has a home of its own, and the guard of the port.
    const env = { PATH: process.env['PATH'], HOME: home, HUB_SANDBOX_NO_CODE_CACHE: '1' }
    const options = { cwd: root, env }

    const user = spawn(process.execPath, [cli, 'start', '--json'], options)
    const { ended, output } = watch(user)
    onTestFinished(async () => {
      user.kill()
      await ended
    })
    // Where the port is taken, something of the user is there already, which serves as well.
    const line = await Promise.race([
      once(user.stdout, 'data').then(([chunk]) => String(chunk)),
      ended.then(() => undefined),
    ])
    if (line === undefined && !/port 7420 .*in use/i.test(output())) throw new Error(output())
    const started = line === undefined ? undefined : (JSON.parse(line) as { controlToken: string })
    const countRequests = async () => {
      if (started === undefined) return 0
      const ask = `fetch('${usualUrl}/_sandbox/api/requests', { headers: { authorization: 'Bearer ${started.controlToken}' } })
      .then((response) => response.text()).then((text) => console.log(text))`
      const { items } = JSON.parse(
        await run(process.execPath, ['-e', ask], { NODE_OPTIONS: '' }),
      ) as { items: object[] }
      return items.length
    }
    const before = { requests: await countRequests(), home: contentsOf(home) }

    const words = [
      'run',
      '--config',
      'test/vitest.config.ts',
      '--project',
      'contract',
      '--maxWorkers=1',
      '--retry=1',
    ]
    const files = commandTests.map((name) => `test/contract/${name}`)
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const tests = watch(spawn(process.execPath, [vitest, ...words, ...files], options))
    await tests.ended
    if (tests.child.exitCode !== 0) throw new Error(tests.output())
    expect({ requests: await countRequests(), home: contentsOf(home) }).toEqual(before)
  },
)
