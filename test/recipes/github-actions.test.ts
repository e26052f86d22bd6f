import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { Job, type Step } from '../helpers/github/runner.ts'
import { root } from '../helpers/packed.ts'
import { program } from '../helpers/recipes/needs.ts'
import { addSandboxTo } from '../helpers/recipes/project.ts'
import { recipe } from '../helpers/recipes/recipe.ts'
import { freePort } from '../helpers/free-port.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

interface Workflow {
  jobs: Record<'steps' | 'script', { steps: Step[] }>
}

const prefix = 'hub-sandbox/hub-sandbox/'

recipe(
  {
    folder: 'github-actions',
    needs: [program('bash')],
  },
  (stage) => {
    beforeAll(() => addSandboxTo(stage.folder), 240_000)

    /** Plays a job of the recipe's workflow, at a port that nobody has. */
    async function play(name: keyof Workflow['jobs']): Promise<Job> {
      const text = readFileSync(join(stage.folder, '.github/workflows/test.yml'), 'utf8')
      const port = await freePort()
      const steps = (parse(text) as Workflow).jobs[name].steps.map((step) =>
        step.uses?.startsWith(prefix) === true ? { ...step, with: { port, ...step.with } } : step,
      )
      const env = { HOME: temporaryDirectory() }
      const job = new Job(temporaryDirectory(), env, stage.folder)
      onTestFinished(() => job.killSandbox())
      job.play(steps, (uses) => {
        if (!uses.startsWith(prefix)) return undefined
        const [path = '', tag] = uses.slice(prefix.length).split('@')
        // No version is released yet.
        expect(tag).toBe('main')
        return join(root, path, 'action.yml')
      })
      return job
    }

    test('shares one between the steps, and tells of it at the end', async () => {
      const job = await play('steps')
      expect(job.log).toMatch(/(#|ℹ) pass 2\n/)
      expect(job.failed).toBe(false)
      expect(job.summary).toMatch(/\| Sign-ins \| 1 \| 0 \| 0 \|/)
      await expect(fetch(`${job.env['HF_ENDPOINT']}/oauth/jwks`)).rejects.toThrow('fetch failed')
    })

    test('gives a script one of its own', async () => {
      const job = await play('script')
      expect(job.log).toMatch(/(#|ℹ) pass 2\n/)
      expect(job.failed).toBe(false)
      expect(job.summary).toContain('hub-sandbox')
    })

    test('fails where the tests do, and tells of it all the same', async () => {
      const file = join(stage.folder, 'broken.test.js')
      writeFileSync(file, "import './no-such-file.js'\n")
      const jobs = [await play('steps'), await play('script')]
      writeFileSync(file, '')
      expect(jobs.map(({ failed }) => failed)).toEqual([true, true])
      expect(jobs[0]?.summary).toMatch(/\| Sign-ins \| 1 \| 0 \| 0 \|/)
    })
  },
)
