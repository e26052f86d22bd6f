import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Compiles a file as strictly as the project does, beside nothing but what it imports.
 * @param code may import files of the project by `#/`, and packages that the project has
 * @returns what the compiler said, and the files that it read
 */
export function compile(code: string): { errors: string[]; files: string[] } {
  const folder = mkdtempSync(join(root, 'node_modules/.compiled-'))
  try {
    writeFileSync(join(folder, 'code.ts'), code)
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
    const args = [tsc, '-p', folder, '--listFiles', '--pretty', 'false']
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    const lines = `${stdout}${stderr}`.split(/\r?\n/).filter(Boolean)
    const isError = (line: string) => /error TS\d+/.test(line)
    return { errors: lines.filter(isError), files: lines.filter((line) => !isError(line)) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
