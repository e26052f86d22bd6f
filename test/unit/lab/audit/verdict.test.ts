import { expect, test } from 'vitest'
import { unknownModules } from '../../../../server/lab/audit/verdict.ts'

const modules = [{ id: 'secret/missing' }, { id: 'secret/wrong' }]

test('unknown modules are mistakes of the option that names them; families are known', () => {
  const request = { only: ['secret', 'secret/mising'], skip: ['secre', 'secret/wrong'] }
  expect(unknownModules(modules, request)).toEqual([
    {
      path: 'only',
      message: 'There is no module secret/mising (did you mean "secret/missing"?).',
    },
    { path: 'skip', message: 'There is no module secre.' },
  ])
  expect(unknownModules(modules, {})).toEqual([])
})
