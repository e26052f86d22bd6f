import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fixturesSchema } from '../../fixtures/schema.ts'
import { format } from '../format.ts'
import { controlSchemas } from './control-schemas.ts'
import { renderControlTypes } from './write-control-types.ts'
import { renderFixturesTypes } from './write-fixtures-types.ts'
import { renderOptionsTypes } from './write-options-types.ts'

// Writes the declarations that the package ships: those of the compiler, with the types that follow from schemas written
// out, because users have no typebox. The package.json above a declaration decides whether it describes a module or
// CommonJS.

const at = (path: string) => fileURLToPath(new URL(`../../../dist/${path}`, import.meta.url))

const generated = Object.entries({
  control: renderControlTypes(controlSchemas()),
  fixtures: renderFixturesTypes(fixturesSchema),
  options: renderOptionsTypes(),
}).map(([name, text]) => [`${name}-types.d.ts`, format(`${name}-types.d.ts`, text)] as const)

rmSync(at('types'), { recursive: true, force: true })
cpSync(at('declarations/server'), at('types/server'), {
  recursive: true,
  filter: (path) => !path.endsWith('.tsbuildinfo'),
})
for (const [name, text] of generated) writeFileSync(at(`types/server/contract/${name}`), text)
// Written last: it shows that the build is complete.
writeFileSync(at('types/package.json'), '{ "type": "commonjs" }\n')
