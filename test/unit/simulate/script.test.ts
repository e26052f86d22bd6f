import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { formatScript, readScripts, writeScript } from '../../simulate/script.ts'

test('a formatted script is read again as it was, from its JSON, its file and its folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'scripts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const script = writeScript(7, 20)
  const text = formatScript(script, 'a "quoted" problem')
  const file = join(folder, 'found.json')
  writeFileSync(file, text)
  expect(readScripts(text)).toEqual([{ title: 'script', ...script }])
  expect(readScripts(file)).toEqual([{ title: 'found.json', ...script }])
  expect(readScripts(folder)).toEqual([{ title: 'found.json', ...script }])
})

test('the same seed gives the same script, and another seed another one', () => {
  expect(writeScript(3, 50)).toEqual(writeScript(3, 50))
  expect(writeScript(3, 50)).not.toEqual(writeScript(4, 50))
  expect(writeScript(3, 50).steps).toEqual(writeScript(3, 80).steps.slice(0, 50))
})

test.each([
  ['{', /^Invalid script script: it is not JSON/],
  ['{}', /its "version" is undefined, and only 1 can be played; find the problem again$/],
  ['{"version":2}', /its "version" is 2/],
  ['{"version":1,"seed":-1}', /"seed" must be a whole number from 0 on$/],
  ['{"version":1,"seed":1,"steps":{}}', /"steps" must be a list/],
  ['{"version":1,"seed":1,"steps":[null]}', /step 1 has the unknown name undefined; use one of/],
  [
    '{"version":1,"seed":1,"steps":[{"name":"toString","seed":1}]}',
    /step 1 has the unknown name "toString"/,
  ],
  [
    '{"version":1,"seed":1,"steps":[{"name":"commit","seed":"1"}]}',
    /the "seed" of step 1 must be a whole number/,
  ],
  ['there/is/no/file.json', /^Cannot read there\/is\/no\/file\.json: ENOENT/],
])('the script %s is refused with one sentence', (given, message) => {
  const read = () => readScripts(given)
  expect(read).toThrow(TypeError)
  expect(read).toThrow(message)
})
