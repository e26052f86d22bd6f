// The sandbox as its users get it: the bundle, started in process.
import { options, ready } from './child.mjs'

// By address, so that the compiler does not look for it: it is there once it was built.
const bundle = new URL('../../../dist/library/index.js', import.meta.url)
const { startSandbox } = await import(bundle.href)
const sandbox = await startSandbox(options())
ready(sandbox.url)
