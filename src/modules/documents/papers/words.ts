import type { PaperLanguage } from "#/kernel/values/paper-languages.ts";

/** The words of the packing slip. The compiler checks that a language has all of them. */
export interface Words {
  /** Title of the paper. */
  readonly packingSlip: string;
  readonly order: string;
  /** The order reference of the buyer. */
  readonly reference: string;
  readonly orderDate: string;
  readonly packedOn: string;
  readonly parcel: string;
  readonly sscc: string;
  readonly carrier: string;
  readonly trackingNumber: string;
  readonly shipTo: string;
  readonly billTo: string;
  readonly shipFrom: string;
  readonly line: string;
  readonly article: string;
  readonly unit: string;
  /** The unit of counted goods (stock unit EA), abbreviated; other units have their codes. */
  readonly piece: string;
  readonly ordered: string;
  /** Column: quantity in this parcel. */
  readonly packed: string;
  /** Column: back-ordered quantity that follows later. */
  readonly toFollow: string;
  readonly unitPrice: string;
  readonly lineTotal: string;
  readonly batch: string;
  readonly serials: string;
  readonly subtotal: string;
  readonly shipping: string;
  readonly tax: string;
  /** The total already includes the tax. */
  readonly taxIncluded: string;
  readonly total: string;
  /** Printed below prices: the parcel may contain only a part of the order. */
  readonly pricesOfOrder: string;
  readonly giftMessage: string;
  /** `{n}`: number of the parcel, `{m}`: total. */
  readonly pieceOf: string;
  /** `{n}`: number of the page, `{m}`: total. */
  readonly page: string;
}

const wordsByLanguage: Readonly<Record<PaperLanguage, Words>> = {
  en: {
    packingSlip: "Packing slip",
    order: "Order",
    reference: "Your reference",
    orderDate: "Order date",
    packedOn: "Packed on",
    parcel: "Parcel",
    sscc: "Parcel number (SSCC)",
    carrier: "Carrier",
    trackingNumber: "Tracking number",
    shipTo: "Deliver to",
    billTo: "Invoice to",
    shipFrom: "Sent from",
    line: "No.",
    article: "Article",
    unit: "Unit",
    piece: "pcs",
    ordered: "Ordered",
    packed: "In this parcel",
    toFollow: "To follow",
    unitPrice: "Unit price",
    lineTotal: "Line total",
    batch: "Batch",
    serials: "Serial numbers",
    subtotal: "Subtotal",
    shipping: "Delivery",
    tax: "Tax",
    taxIncluded: "Tax included",
    total: "Total",
    pricesOfOrder: "Prices and totals are those of the whole order.",
    giftMessage: "A message for you",
    pieceOf: "{n} of {m}",
    page: "Page {n} of {m}",
  },
  de: {
    packingSlip: "Lieferschein",
    order: "Bestellung",
    reference: "Ihre Referenz",
    orderDate: "Bestelldatum",
    packedOn: "Verpackt am",
    parcel: "Paket",
    sscc: "Paketnummer (SSCC)",
    carrier: "Versand mit",
    trackingNumber: "Sendungsnummer",
    shipTo: "Lieferanschrift",
    billTo: "Rechnungsanschrift",
    shipFrom: "Absender",
    line: "Pos.",
    article: "Artikel",
    unit: "Einheit",
    piece: "Stk.",
    ordered: "Bestellt",
    packed: "In diesem Paket",
    toFollow: "Folgt",
    unitPrice: "Einzelpreis",
    lineTotal: "Gesamtpreis",
    batch: "Charge",
    serials: "Seriennummern",
    subtotal: "Zwischensumme",
    shipping: "Versandkosten",
    tax: "Steuer",
    taxIncluded: "Darin enthaltene Steuer",
    total: "Gesamtbetrag",
    pricesOfOrder: "Preise und Summen gelten für die gesamte Bestellung.",
    giftMessage: "Eine Nachricht für Sie",
    pieceOf: "{n} von {m}",
    page: "Seite {n} von {m}",
  },
  fr: {
    packingSlip: "Bon de livraison",
    order: "Commande",
    reference: "Votre référence",
    orderDate: "Date de commande",
    packedOn: "Emballé le",
    parcel: "Colis",
    sscc: "Numéro de colis (SSCC)",
    carrier: "Transporteur",
    trackingNumber: "Numéro de suivi",
    shipTo: "Adresse de livraison",
    billTo: "Adresse de facturation",
    shipFrom: "Expéditeur",
    line: "N°",
    article: "Article",
    unit: "Unité",
    piece: "pce",
    ordered: "Commandé",
    packed: "Dans ce colis",
    toFollow: "À suivre",
    unitPrice: "Prix unitaire",
    lineTotal: "Montant",
    batch: "Lot",
    serials: "Numéros de série",
    subtotal: "Sous-total",
    shipping: "Frais de livraison",
    tax: "Taxe",
    taxIncluded: "Dont taxe",
    total: "Total",
    pricesOfOrder: "Les prix et totaux sont ceux de la commande entière.",
    giftMessage: "Un message pour vous",
    pieceOf: "{n} sur {m}",
    page: "Page {n} sur {m}",
  },
  es: {
    packingSlip: "Albarán",
    order: "Pedido",
    reference: "Su referencia",
    orderDate: "Fecha del pedido",
    packedOn: "Embalado el",
    parcel: "Paquete",
    sscc: "Número de paquete (SSCC)",
    carrier: "Transportista",
    trackingNumber: "Número de seguimiento",
    shipTo: "Dirección de entrega",
    billTo: "Dirección de facturación",
    shipFrom: "Remitente",
    line: "N.º",
    article: "Artículo",
    unit: "Unidad",
    piece: "ud.",
    ordered: "Pedido",
    packed: "En este paquete",
    toFollow: "Pendiente",
    unitPrice: "Precio unitario",
    lineTotal: "Importe",
    batch: "Lote",
    serials: "Números de serie",
    subtotal: "Subtotal",
    shipping: "Gastos de envío",
    tax: "Impuesto",
    taxIncluded: "Impuesto incluido",
    total: "Total",
    pricesOfOrder: "Los precios y totales corresponden al pedido completo.",
    giftMessage: "Un mensaje para usted",
    pieceOf: "{n} de {m}",
    page: "Página {n} de {m}",
  },
  it: {
    packingSlip: "Bolla di consegna",
    order: "Ordine",
    reference: "Vostro riferimento",
    orderDate: "Data dell’ordine",
    packedOn: "Imballato il",
    parcel: "Collo",
    sscc: "Numero del collo (SSCC)",
    carrier: "Corriere",
    trackingNumber: "Numero di spedizione",
    shipTo: "Indirizzo di consegna",
    billTo: "Indirizzo di fatturazione",
    shipFrom: "Mittente",
    line: "N.",
    article: "Articolo",
    unit: "Unità",
    piece: "pz.",
    ordered: "Ordinato",
    packed: "In questo collo",
    toFollow: "In arrivo",
    unitPrice: "Prezzo unitario",
    lineTotal: "Importo",
    batch: "Lotto",
    serials: "Numeri di serie",
    subtotal: "Subtotale",
    shipping: "Spese di spedizione",
    tax: "Imposta",
    taxIncluded: "Imposta inclusa",
    total: "Totale",
    pricesOfOrder: "Prezzi e totali si riferiscono all’intero ordine.",
    giftMessage: "Un messaggio per Lei",
    pieceOf: "{n} di {m}",
    page: "Pagina {n} di {m}",
  },
  nl: {
    packingSlip: "Pakbon",
    order: "Bestelling",
    reference: "Uw referentie",
    orderDate: "Besteldatum",
    packedOn: "Ingepakt op",
    parcel: "Pakket",
    sscc: "Pakketnummer (SSCC)",
    carrier: "Vervoerder",
    trackingNumber: "Track-and-tracenummer",
    shipTo: "Afleveradres",
    billTo: "Factuuradres",
    shipFrom: "Afzender",
    line: "Nr.",
    article: "Artikel",
    unit: "Eenheid",
    piece: "st.",
    ordered: "Besteld",
    packed: "In dit pakket",
    toFollow: "Volgt nog",
    unitPrice: "Stukprijs",
    lineTotal: "Bedrag",
    batch: "Partij",
    serials: "Serienummers",
    subtotal: "Subtotaal",
    shipping: "Verzendkosten",
    tax: "Belasting",
    taxIncluded: "Inclusief belasting",
    total: "Totaal",
    pricesOfOrder: "Prijzen en totalen gelden voor de hele bestelling.",
    giftMessage: "Een bericht voor u",
    pieceOf: "{n} van {m}",
    page: "Pagina {n} van {m}",
  },
  pl: {
    packingSlip: "Specyfikacja wysyłki",
    order: "Zamówienie",
    reference: "Twój numer referencyjny",
    orderDate: "Data zamówienia",
    packedOn: "Spakowano",
    parcel: "Paczka",
    sscc: "Numer paczki (SSCC)",
    carrier: "Przewoźnik",
    trackingNumber: "Numer przesyłki",
    shipTo: "Adres dostawy",
    billTo: "Adres do faktury",
    shipFrom: "Nadawca",
    line: "Lp.",
    article: "Artykuł",
    unit: "Jedn.",
    piece: "szt.",
    ordered: "Zamówiono",
    packed: "W tej paczce",
    toFollow: "Do wysłania",
    unitPrice: "Cena jedn.",
    lineTotal: "Wartość",
    batch: "Partia",
    serials: "Numery seryjne",
    subtotal: "Suma częściowa",
    shipping: "Koszt dostawy",
    tax: "Podatek",
    taxIncluded: "W tym podatek",
    total: "Razem",
    pricesOfOrder: "Ceny i sumy dotyczą całego zamówienia.",
    giftMessage: "Wiadomość dla Ciebie",
    pieceOf: "{n} z {m}",
    page: "Strona {n} z {m}",
  },
};

export function wordsIn(language: PaperLanguage): Words {
  return wordsByLanguage[language];
}
