export { resolveOptions } from '../../server/app/config/resolve.ts'
export { runSandbox } from '../../server/app/run-sandbox.ts'
