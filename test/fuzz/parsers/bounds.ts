import * as fc from 'fast-check'
import { maskText } from '../../../server/core/mask.ts'
import { changePayload, findPathIssues } from '../../../server/core/payload-path.ts'
import { Refusal } from '../../../server/core/refusal.ts'
import { fitsRoute } from '../../../server/lab/faults/route-pattern.ts'
import { parseYaml } from '../../../server/core/parse-yaml.ts'
import { createMasking } from '../../../server/fixtures/log/masking.ts'
import { readCommitLines } from '../../../server/hub/uploads/commit-lines.ts'
import { readGitAttributes } from '../../../server/hub/rules/git-attributes.ts'
import { readGitIgnore } from '../../../server/hub/rules/git-patterns.ts'
import { MatchWork } from '../../../server/hub/rules/match-work.ts'
import { checkReadme, metadataLimits } from '../../../server/hub/rules/readme-check.ts'
import { contentShelf } from '../../unit/hub/content-shelf.ts'
import { text } from '../inputs.ts'
import { must, refuses, target } from '../target.ts'

const rules = text('*', '**/', 'a', '[', ']', '[!a-c]', '?', '/', '!', '\\', '\n', '#', ' ')
const path = text('a', '/', 'b', 'a/', '.')

/** Readers that once took longer than their input is large. */
export const boundTargets = [
  target({
    name: 'git-rules',
    inputs: fc.tuple(rules, path),
    check([given, place]) {
      refuses(Refusal, () =>
        readGitIgnore(given)(place, new MatchWork(given.length + place.length)),
      )
      const filterOf = readGitAttributes(
        (folder) => (folder === '' ? given.replaceAll('\n', ' filter=lfs\n') : undefined),
        new MatchWork(given.length + place.length),
      )
      refuses(Refusal, () => filterOf(place))
    },
  }),
  target({
    name: 'commit-lines',
    inputs: text(
      '{"key":"header","value":{"summary":"x"}}\n',
      '{"key":"file","value":{"path":"a","content":"',
      '"}}\n',
      '"" ',
      '{',
      '[',
      '\\',
    ),
    async check(input) {
      async function* body() {
        yield Buffer.from(input)
      }
      try {
        const { operations } = await readCommitLines(body(), contentShelf())
        must(operations.length > 0, 'is a commit of nothing')
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
      }
    },
  }),
  target({
    name: 'readme-check',
    inputs: text(
      '---\n',
      'a: ',
      '- ',
      '[',
      ']',
      '{',
      '}',
      ',',
      '&a ',
      '*a',
      '!!str ',
      '"',
      '\n',
      '? ',
    ),
    check(input) {
      for (const content of [input, `---\n${input}\n---\n`]) {
        checkReadme((yaml) => parseYaml(yaml, metadataLimits), {
          content,
          repoType: 'model',
        })
      }
    },
  }),
  target({
    name: 'log-masking',
    inputs: text('?D=-', '?token=', '%3D', '://', '@', ':', 'eyJ-', '.', '"secret":"', '&', ' '),
    check(input) {
      const masking = createMasking(
        () => false,
        () => false,
      )
      masking.sweep(masking.text(input))
      masking.forms(input)
      maskText(input)
    },
  }),
  target({
    name: 'payload-paths',
    inputs: text('a', '.', '[0]', '[', ']', '__proto__', 'repo', '.name'),
    check(input) {
      const changes = { overrides: { [input]: 1 }, remove: [input] }
      if (findPathIssues(changes).length > 0) return
      JSON.stringify(changePayload({ repo: { name: 'x' }, list: [1] }, changes).payload)
      must(({} as { a?: unknown }).a === undefined, 'reaches beyond the payload')
    },
  }),
  target({
    name: 'fault-route',
    inputs: fc.tuple(text('*', '/', 'a', '{x}', 'oauth'), path),
    check([route, place]) {
      fitsRoute(route.slice(0, 1000), place)
    },
  }),
]
