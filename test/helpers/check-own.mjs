// Prints what TypeScript 5 says of a project's own files and of the types of hub-sandbox that they take, and of no
// other library: node check-own.mjs TYPESCRIPT PROJECT
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [, , compiler = '', project = ''] = process.argv
const ts = createRequire(import.meta.url)(compiler)

const { config } = ts.readConfigFile(join(project, 'tsconfig.json'), ts.sys.readFile)
const { fileNames, options, errors } = ts.parseJsonConfigFileContent(config, ts.sys, project)
const program = ts.createProgram(fileNames, options)
/** @type {{ fileName: string }[]} */
const files = program.getSourceFiles()
const own = files.filter(({ fileName }) => !/\/node_modules\/(?!hub-sandbox\/)/.test(fileName))
const found = own.flatMap((file) => [
  ...program.getSyntacticDiagnostics(file),
  ...program.getSemanticDiagnostics(file),
])
process.stdout.write(
  ts.formatDiagnostics([...errors, ...program.getOptionsDiagnostics(), ...found], {
    getCurrentDirectory: () => project,
    getCanonicalFileName: (/** @type {string} */ name) => name,
    getNewLine: () => '\n',
  }),
)
