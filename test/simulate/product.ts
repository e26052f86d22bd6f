export { resolveOptions } from '../../server/app/config/resolve.ts'
export { runSandbox } from '../../server/app/run-sandbox.ts'
export { loadXetHashes } from '../../server/hub/xet/hashes.ts'
