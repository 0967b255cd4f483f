// What stands above the text of the service worker, and what its `self` has beyond other workers'.

declare const VERSION: string;
declare const FILES: string[];
declare const PAGES: string[];
declare const NO_NETWORK: string;
declare const HOME: string;

interface WorkerGlobalScope {
  readonly clients: Clients;
  skipWaiting(): Promise<void>;
  addEventListener<Name extends keyof ServiceWorkerGlobalScopeEventMap>(
    name: Name, listener: (event: ServiceWorkerGlobalScopeEventMap[Name]) => void,
  ): void;
}

/** Known to newer browsers alone; an install event has it. */
interface ExtendableEvent {
  addRoutes?(routes: object[]): Promise<void>;
}

/** For whom a page was made: its language, and the device of which group. */
interface Reader {
  language: string;
  device: string;
}

/** What is held of one page. */
interface Copy {
  name: string;
  headers: Headers;
  forget(): Promise<boolean>;
}
