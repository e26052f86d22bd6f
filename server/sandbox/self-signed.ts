// Large, and needed under HTTPS alone: a file of its own in the package, which both of its builds load when they do.
export { generate } from 'selfsigned'
