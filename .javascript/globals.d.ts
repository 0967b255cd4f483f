// What the scripts in static/js find in a page and in the browser, told to the type checker.

type Field = HTMLInputElement & { form: HTMLFormElement };

/** Says which elements an update leaves alone: as they are, though they would be as `fresh`, or even where they would go. */
type Guard = (element: HTMLElement, fresh?: HTMLElement) => boolean;

/** A tap that the table has not taken yet: on its way, or with an answer that a person has to read. */
interface Unsent {
  key: string;
  game: string;
  address: string;
  /** The version that was known when the field was turned to, of which there was time to read. */
  seen: string;
  /** The version that was shown when it was tapped; versions before 1.1 do not say it. */
  v?: string;
  changed: string;
  fields: Record<string, string>;
  about: string;
  /** The field that was tapped; versions before 1.1 do not say it. */
  of?: string;
  at: number;
  /** It is shown as not synced at once: it could not be sent, or a person chose it anew. */
  late?: boolean;
  /** It was sent at least once: the table may have it. */
  tried?: boolean;
  /** How often the app itself failed over it. */
  faults?: number;
  /** The question, as HTML, that a person has to answer first. */
  answer?: string;
  /** The version of the game that the question was put at. */
  version?: string;
  /** Why it was refused for good. */
  refused?: string;
  /** It waits for its game to be there again. */
  gone?: boolean;
}

/** What is in every page, or wherever a script looks for it. */
interface Present {
  [meta: `meta[name=${string}]`]: HTMLMetaElement;
  "#announced": HTMLElement;
  "#needs-network": HTMLTemplateElement;
  "#no-answer": HTMLTemplateElement;
  "#game-gone": HTMLTemplateElement;
  "#not-accepted": HTMLTemplateElement;
  "#shell": HTMLElement;
  "#tap-words": HTMLElement;
  "#waits-elsewhere": HTMLTemplateElement;
  "#notice": HTMLElement;
  "#question": HTMLFormElement;
  "[data-cards]": HTMLElement;
  "[data-count]": HTMLElement;
  "[data-keypad]": HTMLElement;
  "[data-what]": HTMLElement;
  "[name=seen]": Field;
  ".counting .penalty-field": Field;
  ".tray-text": Field;
  form: HTMLFormElement;
  input: Field;
  summary: HTMLElement;
  time: HTMLTimeElement;
}

/** What some pages have and others lack. */
interface Perhaps {
  [fields: `[data-tap${string}`]: Field;
  [named: `[name=${string}`]: Field;
  "#awake": HTMLInputElement;
  "#motion": HTMLInputElement;
  "[data-points]": HTMLInputElement;
  "#vibration": HTMLInputElement;
  "#sound": HTMLInputElement;
  "#round [name=order]": Field;
  "#round .penalty-field": Field;
  ".penalty-field": Field;
  ".counting": HTMLDetailsElement;
  ".fold": HTMLDetailsElement;
  "[data-folds][open]": HTMLDetailsElement;
  ".fold:not([data-folds], [data-as-sent])": HTMLDetailsElement;
  "input[name=dealer]": Field;
  "input:not([type=hidden]), select, textarea": HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
  button: HTMLButtonElement;
  "time[data-local]": HTMLTimeElement;
  "a[href], button, input": (HTMLAnchorElement & { form: undefined }) | HTMLButtonElement | HTMLInputElement;
}

interface ParentNode {
  querySelector<Selector extends keyof Present>(selector: Selector): Present[Selector];
  querySelector<Selector extends keyof Perhaps>(selector: Selector): Perhaps[Selector] | null;
  querySelector(selector: string): HTMLElement | null;
  querySelectorAll<Selector extends keyof Perhaps>(selector: Selector): NodeListOf<Perhaps[Selector]>;
  querySelectorAll(selector: string): NodeListOf<HTMLElement>;
}

interface Element {
  closest<Selector extends keyof Perhaps>(selector: Selector): Perhaps[Selector] | null;
  closest(selector: string): HTMLElement | null;
}

/** An event of an element in the page, as it is heard on the document. */
type OfElement<Heard, Target = HTMLElement> = Omit<Heard, "target"> & { readonly target: Target };

interface HtmxDetail {
  elt: HTMLElement;
  target: HTMLElement;
  xhr: XMLHttpRequest;
  serverResponse: string;
  shouldSwap: boolean;
  isError: boolean;
  successful: boolean;
  boosted: boolean;
  swapOverride: string;
  requestConfig: { elt: HTMLElement, verb: string, formData: FormData };
  headers: Record<string, string>;
  verb: string;
  path: string;
  parameters: FormData;
  formData: FormData;
  issueRequest(confirmed: boolean): void;
}

/** The events that our scripts hear on the document, htmx's and our own (`live:…`) among them. */
interface Heard {
  click: OfElement<PointerEvent>;
  pointerdown: OfElement<PointerEvent>;
  pointermove: PointerEvent;
  pointerup: PointerEvent;
  pointercancel: PointerEvent;
  keydown: OfElement<KeyboardEvent, Field>;
  focusin: OfElement<FocusEvent>;
  submit: OfElement<SubmitEvent, HTMLFormElement>;
  change: OfElement<Event, Field>;
  input: OfElement<Event, Field>;
  beforeinput: OfElement<InputEvent, Field>;
  toggle: OfElement<Event, HTMLDetailsElement>;
  announce: OfElement<CustomEvent<{ value: string }>>;
  "live:before": OfElement<CustomEvent<{ after: HTMLElement }>>;
  "htmx:confirm": OfElement<CustomEvent<HtmxDetail>, HTMLButtonElement & { form: HTMLFormElement }>;
  [htmx: `htmx:${string}`]: OfElement<CustomEvent<HtmxDetail>>;
}

interface Document {
  addEventListener<Name extends keyof Heard>(
    name: Name, listener: (event: Heard[Name]) => unknown, options?: AddEventListenerOptions,
  ): void;
}

interface Navigator {
  readonly connection?: { readonly saveData: boolean };
}

declare const htmx: {
  process(element: Element | null): void;
  ajax(method: string, address: string, options: {
    source?: Element, target: Element | string, select?: string, swap: string, headers?: Record<string, string>,
    values?: FormData,
  }): Promise<void>;
};

declare const Idiomorph: {
  morph(before: Element | null, after: Element | Element[], options: {
    morphStyle: string,
    callbacks?: {
      beforeNodeMorphed(node: Node, fresh: Node): boolean,
      beforeNodeRemoved(node: Node): boolean,
      beforeAttributeUpdated(name: string): boolean,
    },
  }): void;
};
