import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.protege.editor.owl.model.io.AutoMappedRepositoryIRIMapper;
import org.protege.editor.owl.model.io.OntologyLoader;
import org.protege.editor.owl.model.library.OntologyCatalogManager;
import org.protege.editor.owl.model.library.UriEntryManager;
import org.protege.editor.owl.model.library.folder.FolderGroupManager;
import org.protege.editor.owl.model.library.folder.ImportByNameManager;
import org.semanticweb.owlapi.apibinding.OWLManager;
import org.semanticweb.owlapi.formats.FunctionalSyntaxDocumentFormat;
import org.semanticweb.owlapi.formats.ManchesterSyntaxDocumentFormat;
import org.semanticweb.owlapi.formats.OWLXMLDocumentFormat;
import org.semanticweb.owlapi.formats.RDFXMLDocumentFormat;
import org.semanticweb.owlapi.formats.TurtleDocumentFormat;
import org.semanticweb.owlapi.io.IRIDocumentSource;
import org.semanticweb.owlapi.io.OWLOntologyLoaderMetaData;
import org.semanticweb.owlapi.io.RDFParserMetaData;
import org.semanticweb.owlapi.model.IRI;
import org.semanticweb.owlapi.model.MissingImportHandlingStrategy;
import org.semanticweb.owlapi.model.OWLDocumentFormat;
import org.semanticweb.owlapi.model.OWLObject;
import org.semanticweb.owlapi.model.OWLOntology;
import org.semanticweb.owlapi.model.OWLOntologyLoaderConfiguration;
import org.semanticweb.owlapi.model.OWLOntologyManager;
import org.semanticweb.owlapi.model.parameters.Imports;
import org.semanticweb.owlapi.model.parameters.OntologyCopy;
import org.semanticweb.owlapi.profiles.OWL2DLProfile;

/**
 * Reads ontologies as Protégé does: with its loader, its catalogues of imports, and its version of the OWL API.
 *
 * <p>Standard input has a request a line: a file's path, or a path, a tab and a folder, into which Protégé's five
 * syntaxes of it are saved. Each is answered with one line of JSON.
 */
public class ReadOntologies {
    private static final Map<String, OWLDocumentFormat> SYNTAXES = Map.of(
        "owl", new RDFXMLDocumentFormat(),
        "ttl", new TurtleDocumentFormat(),
        "owx", new OWLXMLDocumentFormat(),
        "ofn", new FunctionalSyntaxDocumentFormat(),
        "omn", new ManchesterSyntaxDocumentFormat());

    public static void main(String[] none) throws Exception {
        ((Logger) org.slf4j.LoggerFactory.getLogger("ROOT")).setLevel(Level.OFF);
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream answers = new PrintStream(System.out, true, "UTF-8");
        ObjectMapper json = new ObjectMapper();
        for (String request; (request = requests.readLine()) != null; ) {
            String[] parts = request.split("\t");
            answers.println(json.writeValueAsString(answer(new File(parts[0]), parts.length > 1 ? parts[1] : null)));
        }
        System.exit(0);  // Protégé leaves threads behind
    }

    private static Map<String, Object> answer(File file, String folder) {
        List<String> missing = new ArrayList<>();
        try {
            OWLOntology ontology = load(file, missing);
            if (folder != null) {
                save(ontology, file, folder);
            }
            return told(ontology, missing);
        } catch (Throwable error) {  // the OWL API throws many kinds for a file that it cannot read
            return Map.of("error", error.toString(), "missing", missing);
        }
    }

    /** What OntologyLoader.loadOntologyInternal of Protégé 5.6 does, without its windows and without the network. */
    private static OWLOntology load(File file, List<String> missing) throws Exception {
        OntologyCatalogManager catalogues = new OntologyCatalogManager(
            List.of(new FolderGroupManager(), new ImportByNameManager(), new UriEntryManager()));
        catalogues.addFolder(file.getParentFile());
        OWLOntologyManager manager = OntologyLoader.createInterceptingManager(() -> {});
        manager.getIRIMappers().clear();
        manager.getIRIMappers().add(new AutoMappedRepositoryIRIMapper(catalogues, file.toURI()));
        manager.addMissingImportListener(event -> missing.add(event.getImportedOntologyURI().toString()));
        return manager.loadOntologyFromOntologyDocument(
            new IRIDocumentSource(IRI.create(file.toURI())),
            new OWLOntologyLoaderConfiguration().setMissingImportHandlingStrategy(MissingImportHandlingStrategy.SILENT));
    }

    private static void save(OWLOntology ontology, File file, String folder) throws Exception {
        OWLDocumentFormat read = ontology.getOWLOntologyManager().getOntologyFormat(ontology);
        OWLOntologyManager manager = OWLManager.createConcurrentOWLOntologyManager();  // what is open in Protégé
        OWLOntology open = manager.copyOntology(ontology, OntologyCopy.SHALLOW);
        String name = file.getName().replaceFirst("\\.\\w+$", "");
        for (Map.Entry<String, OWLDocumentFormat> syntax : SYNTAXES.entrySet()) {
            OWLDocumentFormat format = syntax.getValue();
            if (read.isPrefixOWLOntologyFormat()) {
                format.asPrefixOWLOntologyFormat().copyPrefixesFrom(read.asPrefixOWLOntologyFormat());
            }
            manager.saveOntology(open, format, IRI.create(new File(folder, name + "." + syntax.getKey())));
        }
    }

    private static Map<String, Object> told(OWLOntology ontology, List<String> missing) {
        OWLDocumentFormat format = ontology.getOWLOntologyManager().getOntologyFormat(ontology);
        OWLOntologyLoaderMetaData parsed = format.getOntologyLoaderMetaData();
        Map<String, Object> told = new TreeMap<>();
        told.put("format", format.getKey());
        told.put("iri", iri(ontology));
        told.put("missing", missing);
        told.put("imported", ontology.getImports().stream().map(ReadOntologies::iri).collect(Collectors.toList()));
        told.put("axioms", named(ontology.getAxioms().stream()));
        told.put("annotations", named(ontology.getAnnotations().stream()));
        told.put("not understood", parsed instanceof RDFParserMetaData
            ? ((RDFParserMetaData) parsed).getUnparsedTriples().stream().map(Object::toString).collect(Collectors.toList())
            : List.of());
        told.put("undeclared", ontology.getSignature(Imports.INCLUDED).stream()
            .filter(each -> !each.isBuiltIn() && !each.isOWLNamedIndividual())
            .filter(each -> !ontology.isDeclared(each, Imports.INCLUDED))
            .map(each -> each.getIRI().toString()).sorted().collect(Collectors.toList()));
        told.put("not OWL 2 DL", new OWL2DLProfile().checkOntology(ontology).getViolations().stream()
            .map(Object::toString).sorted().collect(Collectors.toList()));
        return told;
    }

    private static String iri(OWLOntology ontology) {
        return ontology.getOntologyID().getOntologyIRI().transform(IRI::toString).orNull();
    }

    /** As texts, without the numbers of blank nodes and of classes that the OWL API puts where it understands nothing. */
    private static List<String> named(Stream<? extends OWLObject> objects) {
        return objects.map(Object::toString)
            .map(text -> text.replaceAll("_:genid[\\w-]*", "_:").replaceAll("owlapi/error#Error\\d+", "owlapi/error#"))
            .sorted().collect(Collectors.toList());
    }
}
