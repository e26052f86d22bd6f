import { expect, test } from 'vitest'
import { rules } from '../../../server/lab/checks/check-catalog.ts'
import { lackingPrograms, lackingRuleTests } from '../../../server/tools/docs/rule-tests.ts'

const folder = new URL('../../contract/advice/', import.meta.url)
const loop = rules.find(({ id }) => id === 'sign-in/loop')!

test('each check has a test for its mistake, its silence and each exception', () => {
  expect(lackingRuleTests(rules, folder)).toEqual([])
})

test('a check or an exception without a test is named', () => {
  const exceptions = [...loop.exceptions, 'it rains']
  expect(lackingRuleTests([{ ...loop, id: 'sign-in/new' }], folder)).toEqual([
    "testRule('sign-in/new', …)",
  ])
  expect(lackingRuleTests([{ ...loop, exceptions }], folder)).toEqual([
    'sign-in/loop: the exception "it rains"',
  ])
})

test('a module that no example program fails is named', () => {
  const modules = [{ id: 'token/cut' }, { id: 'token/new' }]
  expect(lackingPrograms(modules, [{ 'repeats-code': ['token/cut'] }])).toEqual(['token/new'])
})
