import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Compiles a file as strictly as the project does, beside nothing but what it imports.
 * @param code may import files of the project by `#/`, and packages that the project has
 * @param beside further files by their names
 * @returns messages of the compiler
 */
export function compile(code: string, beside: Readonly<Record<string, string>> = {}): string[] {
  const folder = mkdtempSync(join(root, 'node_modules/.compiled-'))
  try {
    for (const [name, text] of Object.entries({ ...beside, 'code.ts': code })) {
      writeFileSync(join(folder, name), text)
    }
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: {
          composite: false,
          noEmit: true,
          emitDeclarationOnly: false,
          allowImportingTsExtensions: true,
          rewriteRelativeImportExtensions: false,
          lib: ['es2023', 'dom'],
          paths: { '#/*': [`${root}*`] },
        },
        files: ['code.ts'],
        references: [],
      }),
    )
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const args = [tsc, '-p', folder, '--pretty', 'false']
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    return `${stdout}${stderr}`.split(/\r?\n/).filter((line) => /error TS\d+/.test(line))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
