import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { Job } from '../helpers/github/runner.ts'
import { program } from '../helpers/recipes/needs.ts'
import { addSandboxTo } from '../helpers/recipes/project.ts'
import { recipe } from '../helpers/recipes/recipe.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

recipe(
  {
    folder: 'shell',
    needs: [program('bash'), program('sh', '-c', 'true')],
  },
  (stage) => {
    beforeAll(() => addSandboxTo(stage.folder), 240_000)

    async function run() {
      const env = { HOME: temporaryDirectory() }
      const { code, log } = new Job(temporaryDirectory(), env, stage.folder).run('sh ci.sh')
      const { url } = JSON.parse(readFileSync(join(stage.folder, 'sandbox.json'), 'utf8')) as {
        url: string
      }
      rmSync(join(stage.folder, 'sandbox.json'))
      // Whatever the commands came to, nothing is left behind.
      await expect(fetch(`${url}/oauth/jwks`)).rejects.toThrow('fetch failed')
      return { code, log }
    }

    test('shares one between the commands, and sums up', async () => {
      const { code, log } = await run()
      expect(log).toMatch(/(#|ℹ) pass 2\n/)
      expect(log).toMatch(/\| Sign-ins \| 1 \| 0 \| 0 \|/)
      expect(log).toMatch(/No mistakes found\. \d+ of \d+ checks had something to judge/)
      expect(code).toBe(0)
    })

    test('fails as the first command that does', async () => {
      const file = join(stage.folder, 'broken.test.js')
      writeFileSync(file, "import './no-such-file.js'\n")
      const { code, log } = await run()
      rmSync(file)
      expect(code).toBe(1)
      expect(log).toMatch(/\| Sign-ins \| 1 \| 0 \| 0 \|/)
    })

    test('fails for a mistake that the tests of the app do not notice', async () => {
      const file = join(stage.folder, 'careless.test.js')
      const line = 'await fetch(`${process.env.HF_ENDPOINT}/api/models?token=hf_sandbox_alice`)\n'
      writeFileSync(file, line)
      const { code, log } = await run()
      rmSync(file)
      expect(code).toBe(1)
      expect(log).toMatch(/error {2}token\/secret-in-url[^]*Fix: Send tokens/)
    })
  },
)
