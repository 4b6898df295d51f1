// Types of the globals that web-test-runner's mocha adds to the page.
declare function describe(name: string, tests: () => void): void
declare function it(name: string, test: () => Promise<void> | void): void
declare function beforeEach(step: () => Promise<void> | void): void
declare function afterEach(step: () => Promise<void> | void): void
