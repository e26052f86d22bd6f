import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { controls } from '../../simulate/controls.ts'
import { held } from '../../simulate/growth.ts'
import { invariants } from '../../simulate/invariants.ts'
import { invariantNames } from '../../simulate/world/violation.ts'

test('each invariant has a mistake that the simulator must find', () => {
  expect(Object.keys(controls).toSorted()).toEqual([...invariantNames].toSorted())
  for (const { name } of invariants) expect(invariantNames).toContain(name)
})

const mistakes = [
  ...Object.entries(controls),
  ...Object.entries(held).map(([name, { mistake }]) => [name, mistake] as const),
]

test.each(mistakes)('the mistake for "%s" can be planted', (_name, mistake) => {
  const { file, from, to } = mistake
  expect(readFileSync(file, 'utf8').split(from)).toHaveLength(2)
  expect(to).not.toBe(from)
})
