// Declarations say by the package.json above them whether they describe a module or CommonJS, so
// that both are offered they lie there twice.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const types = fileURLToPath(new URL('../../../dist/types/', import.meta.url))
const copy = `${types}commonjs`

rmSync(copy, { recursive: true, force: true })
mkdirSync(copy, { recursive: true })
cpSync(`${types}server`, `${copy}/server`, {
  recursive: true,
  filter: (path) => !path.endsWith('.tsbuildinfo'),
})
writeFileSync(`${copy}/package.json`, '{ "type": "commonjs" }\n')
