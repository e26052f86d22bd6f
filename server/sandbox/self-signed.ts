// Large, and needed under HTTPS alone: a file of its own in the package.
export { generate } from 'selfsigned'
