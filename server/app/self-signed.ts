// A separate file of the package: large, and needed with HTTPS only.
export { generate } from 'selfsigned'
