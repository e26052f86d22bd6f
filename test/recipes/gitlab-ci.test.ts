import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { Job } from '../helpers/github/runner.ts'
import { program } from '../helpers/recipes/needs.ts'
import { addSandboxTo } from '../helpers/recipes/project.ts'
import { recipe } from '../helpers/recipes/recipe.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

interface Pipeline {
  test: { script: string[]; artifacts: { paths: [string]; reports: { junit: string } } }
}

recipe(
  {
    folder: 'gitlab-ci',
    needs: [program('bash')],
  },
  (stage) => {
    beforeAll(() => addSandboxTo(stage.folder), 240_000)

    /** Runs the lines as GitLab's runner does, in one shell that ends at the first that fails. */
    function run() {
      const text = readFileSync(join(stage.folder, '.gitlab-ci.yml'), 'utf8')
      const { script, artifacts } = (parse(text) as Pipeline).test
      const report = join(stage.folder, artifacts.reports.junit)
      rmSync(report, { force: true })
      const env = { HOME: temporaryDirectory(), HF_TOKEN: 'hf_real' }
      const { code, log } = new Job(temporaryDirectory(), env, stage.folder).run(script.join('\n'))
      const kept = readdirSync(join(stage.folder, artifacts.paths[0])).toSorted()
      return { code, log, report: readFileSync(report, 'utf8'), kept }
    }

    test('runs the tests against a hub of their own, and reports what happened there', () => {
      const { code, log, report, kept } = run()
      expect(kept).toEqual([])
      expect(log).toMatch(/(#|ℹ) pass 2\n/)
      expect(code).toBe(0)
      expect(report).toMatch(/^<\?xml [^]*<testsuites/)
    })

    test('fails as the tests do, with a report all the same', () => {
      const file = join(stage.folder, 'broken.test.js')
      writeFileSync(file, "import './no-such-file.js'\n")
      const { code, report, kept } = run()
      rmSync(file)
      expect(kept).toEqual([
        expect.stringMatching(/\.html$/),
        expect.stringMatching(/\.hubsandbox$/),
      ])
      expect(code).toBe(1)
      expect(report).toContain('<testsuites')
    })
  },
)
